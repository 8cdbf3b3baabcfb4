"""Uploads a file with tuspy, an independent client of tus 1.0, in three goes.

Usage: upload.py UPLOADS-URL TOKEN FILE
The first go stops after one chunk, the second goes on with checksums from the address alone, as after a
crash, and the third finds that all is there. Prints the offset after each.
"""

import hashlib
import sys

from tusclient import client


def main(url, token, path):
    tus = client.TusClient(url, headers={"Authorization": f"Bearer {token}"})
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    metadata = {"digest": digest}

    first = tus.uploader(path, chunk_size=100_000, metadata=metadata)
    first.upload_chunk()
    print(first.offset)

    second = tus.uploader(path, chunk_size=100_000, metadata=metadata, url=first.url, upload_checksum=True)
    print(second.offset)
    second.upload()
    print(second.offset)

    third = tus.uploader(path, chunk_size=100_000, metadata=metadata)
    third.set_url(third.create_url())
    print(third.get_offset())


main(*sys.argv[1:])
