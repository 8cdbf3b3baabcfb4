// The geodesics of GeographicLib on the WGS 84 ellipsoid, for Swift. Degrees and metres.
#ifndef STANDPOINT_GEODESIC_H
#define STANDPOINT_GEODESIC_H

#ifdef __cplusplus
extern "C" {
#endif

/// A ring of geodesic edges that is measured while it grows.
typedef struct geodesic_ring geodesic_ring;

/// The shortest path between two places: its length, and its directions at both ends.
void geodesic_inverse(
    double latitude, double longitude, double other_latitude, double other_longitude,
    double *distance, double *initial_azimuth, double *final_azimuth);

/// The end of a path of a length that leaves a place in a direction.
void geodesic_direct(
    double latitude, double longitude, double azimuth, double distance, double *end_latitude,
    double *end_longitude);

/// A ring without corners; NULL if there is no memory.
geodesic_ring *geodesic_ring_make(void);
/// A ring with the same corners; NULL if there is no memory.
geodesic_ring *geodesic_ring_copy(const geodesic_ring *ring);
void geodesic_ring_free(geodesic_ring *ring);
void geodesic_ring_add(geodesic_ring *ring, double latitude, double longitude);
/// The perimeter of the closed ring, and its area: positive if it runs counter-clockwise.
void geodesic_ring_measure(const geodesic_ring *ring, double *area, double *perimeter);

#ifdef __cplusplus
}
#endif

#endif
