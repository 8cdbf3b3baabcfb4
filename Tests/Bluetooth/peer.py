"""A GNSS receiver with Bluetooth's serial port: listens on an adapter's address and channel, and tells
NMEA 0183 five times a second, with lines of its own between. `peer.py ADDRESS CHANNEL [COUNT]`: it
hangs up after COUNT epochs. It listens again until it is killed."""

import socket
import sys
import time


def framed(body):
    total = 0
    for letter in body:
        total ^= ord(letter)
    return f"${body}*{total:02X}\r\n".encode()


def tell(connection, limit):
    start = time.time()
    number = 0
    while limit == 0 or number < limit:
        now = time.time()
        clock = time.strftime("%H%M%S", time.gmtime(now)) + f".{int(now * 10) % 10}00"
        date = time.strftime("%d%m%y", time.gmtime(now))
        place = "4807.0380000,N,01131.0000000,E"
        lines = framed(f"GNRMC,{clock},A,{place},0.02,84.4,{date},,,R")
        lines += b"#BESTPOSA,COM1,0,55.0,FINESTEERING;ready\r\n"
        lines += framed(f"GNGGA,{clock},{place},4,12,0.7,545.4,M,46.9,M,1.0,0001")
        lines += framed(f"GNGST,{clock},,0.02,0.02,0,0.02,0.02,0.04")
        connection.sendall(lines)
        number += 1
        time.sleep(max(0, start + number * 0.2 - time.time()))


def main(address, channel, limit):
    while True:
        listening = socket.socket(
            socket.AF_BLUETOOTH, socket.SOCK_STREAM, socket.BTPROTO_RFCOMM
        )
        try:
            listening.bind((address, channel))
            listening.listen(1)
            connection, _ = listening.accept()
            try:
                tell(connection, limit)
            finally:
                connection.close()
        except OSError:
            time.sleep(0.2)
        finally:
            listening.close()


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
