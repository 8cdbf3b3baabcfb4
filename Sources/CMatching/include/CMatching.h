#ifndef CMATCHING_H
#define CMATCHING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The points of a picture by which it is found again in another one.
typedef struct matching_features matching_features;

// Two pictures, compared.
typedef struct {
  // The pairs of points that agree on one projective map.
  int32_t inliers;
  // The cells, of 8 by 8 of the earlier picture, in which such points lie.
  int32_t cells;
  // The map from the earlier picture to the later one, in pixels, row by row.
  double homography[9];
} matching_answer;

// Finds the points of a grey picture, given row by row from the top. Returns NULL if a side is
// below 32 or above 8,192 pixels, or if there is not enough memory.
matching_features *matching_features_make(const uint8_t *pixels, int32_t width, int32_t height);

void matching_features_free(matching_features *features);

// Compares two pictures. Returns 0, and writes nothing, if there is not enough memory. Without a map
// all numbers of the answer are 0.
int32_t matching_compare(
    const matching_features *earlier, const matching_features *later, matching_answer *answer);

// Takes from this process for good what reading a picture does not need: files, network, other
// processes, and memory beyond a limit. Returns 0 if the system refused.
int32_t matching_confine(uint64_t memory_bytes);

#ifdef __cplusplus
}
#endif

#endif
