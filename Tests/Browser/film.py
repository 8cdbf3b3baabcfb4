"""A film for the browser's fake camera: a field with rows that meet at the horizon, and a kite above it."""
WIDTH, HEIGHT = 640, 480
HORIZON = 215
# Chromium plays it from its end to its beginning again. No two photos of a test may be of the same frame: the
# verifier says of the second that its picture was used before.
FRAMES, PER_SECOND = 120, 2


def shades(x, y):
    """Luminance and both colour differences (BT.601) of a place of the picture."""
    if y < HORIZON:
        return 150 + 70 * y // HORIZON, 150 - 18 * y // HORIZON, 112
    depth = y - HORIZON + 3
    is_crop = int((x - WIDTH / 2) * 2.2 / depth + 1000) % 2
    near = min(60, depth // 4)
    return (98 + near // 2, 96, 112) if is_crop else (92 + near, 108, 146)


def write(path, still=None):
    """As YUV4MPEG2. With `still`, the luminance of a picture, each other ten seconds show that picture alone."""
    luminance = bytearray(shades(x, y)[0] for y in range(HEIGHT) for x in range(WIDTH))
    colours = [shades(x, y)[1:] for y in range(0, HEIGHT, 2) for x in range(0, WIDTH, 2)]
    rest = bytes(one for one, _ in colours) + bytes(two for _, two in colours)
    with path.open("wb") as file:
        file.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F{PER_SECOND}:1 Ip A1:1 C420jpeg\n".encode())
        grey = bytes([128]) * len(rest)
        for frame in range(FRAMES):
            if still and frame // (10 * PER_SECOND) % 2 == 0:
                file.write(b"FRAME\n" + still + grey)
                continue
            picture = bytearray(luminance)
            for row in range(16):
                start = (60 + row) * WIDTH + 20 + frame * 4 + abs(8 - row)
                picture[start:start + 16 - 2 * abs(8 - row)] = bytes([40]) * (16 - 2 * abs(8 - row))
            file.write(b"FRAME\n" + picture + rest)
