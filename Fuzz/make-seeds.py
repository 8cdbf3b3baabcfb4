#!/usr/bin/env python3
"""Writes the first seeds of both fuzz targets: one of each thing that the decoder knows."""
import pathlib

HERE = pathlib.Path(__file__).parent / "seeds"


def framed(body, end="\r\n"):
    total = 0
    for byte in body.encode():
        total ^= byte
    return f"${body}*{total:02X}{end}".encode()


SENTENCES = [
    "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,1.5,0123",
    "GNRMC,123519,A,4807.038,N,01131.000,E,0.1,84.4,230394,,,A",
    "GNGNS,123519,4807.038,N,01131.000,E,RD,15,0.7,10.0,-5.0,2,99",
    "GPGLL,4807.038,N,01131.000,E,123519,A,A", "GPGST,123519,,2.0,1.0,0,1,1,3.0",
    "GPGBS,123519,2.0,1.0,3.0,,,,", "GPZDA,123519,05,04,2031,00,00", "GPVTG,45,T,,M,1.0,N,3.6,K,A",
    "GNGSA,A,3,01,02,,,,,,,,,,,1.5,0.8,1.2,1", "GPGSV,1,1,02,02,63,098,44,05,41,204,42,1",
    "HEHDT,271.5,T", "HCHDG,358.0,3.0,E,4.5,E", "GNTHS,12.25,A",
    "PUBX,00,123519,4807.038,N,01131.000,E,546,G3,2.1,2.0,3.6,77,0.007,,0.9,1.1,0.7,9,0,0",
    "PGRME,5,M,6,M,9,M", "PGRMZ,1000,f,3",
]
MESSAGES = [
    '{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}',
    '{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}]}',
    '{"class":"TPV","device":"/dev/x","mode":3,"time":"2024-05-06T07:08:01.250Z","lat":-45.5,"lon":170.25,'
    '"altHAE":20.5,"altMSL":10.25,"speed":1.5,"track":90,"climb":-0.5,"eph":4.5,"epv":9}',
    '{"class":"SKY","hdop":0.9,"satellites":[{"PRN":5,"gnssid":0,"svid":5,"sigid":3,"el":10,"az":20,"ss":40,'
    '"used":true}]}',
    '{"class":"ATT","heading":271.5}', '{"class":"ERROR","message":"no"}',
]


def keep(folder, name, data):
    path = HERE / folder
    path.mkdir(parents=True, exist_ok=True)
    (path / name).write_bytes(data)


for number, sentence in enumerate(SENTENCES):
    keep("stream", f"sentence-{number:02d}", b"\x10" + framed(sentence))
for number, message in enumerate(MESSAGES):
    keep("stream", f"message-{number:02d}", b"\x10" + message.encode() + b"\r\n")
epoch = b"".join(framed(sentence) for sentence in SENTENCES[:10])
later = epoch.replace(b"123519", b"123520")
keep("stream", "epochs", b"\x30" + epoch + later)
keep("stream", "between", b"\x07\xb5b\x01\x02$$" + framed(SENTENCES[0], "\r") + b"\x00{" + epoch[:90])
for number in range(20):
    keep("epochs", f"kind-{number:02d}", bytes([16, number, 19 << 2, 0, 40 << 2]))
keep("epochs", "walk", bytes([200]) + b"".join(bytes([kind, second << 2]) for second in range(20)
                                              for kind in (1, 3, 10, 6)))
