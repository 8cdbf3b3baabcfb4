#include "CGeodesic.h"

#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/PolygonArea.hpp>
#include <new>

using GeographicLib::Geodesic;

struct geodesic_ring {
    GeographicLib::PolygonArea ring{Geodesic::WGS84()};
};

void geodesic_inverse(
    double latitude, double longitude, double other_latitude, double other_longitude,
    double *distance, double *initial_azimuth, double *final_azimuth)
{
    Geodesic::WGS84().Inverse(latitude, longitude, other_latitude, other_longitude, *distance,
                              *initial_azimuth, *final_azimuth);
}

void geodesic_direct(
    double latitude, double longitude, double azimuth, double distance, double *end_latitude,
    double *end_longitude)
{
    Geodesic::WGS84().Direct(latitude, longitude, azimuth, distance, *end_latitude,
                             *end_longitude);
}

geodesic_ring *geodesic_ring_make(void) { return new (std::nothrow) geodesic_ring; }

geodesic_ring *geodesic_ring_copy(const geodesic_ring *ring)
{
    return new (std::nothrow) geodesic_ring(*ring);
}

void geodesic_ring_free(geodesic_ring *ring) { delete ring; }

void geodesic_ring_add(geodesic_ring *ring, double latitude, double longitude)
{
    ring->ring.AddPoint(latitude, longitude);
}

void geodesic_ring_measure(const geodesic_ring *ring, double *area, double *perimeter)
{
    ring->ring.Compute(false, true, *perimeter, *area);
}
