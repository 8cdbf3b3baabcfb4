"""An object store on a bad day: it keeps objects in memory, checks nothing, and does what the key asks for.

    bad_store.py PORT

A key holds one of these words: slow-N (503 SlowDown N times, then as usual), down-N (the connection breaks off N times), cut-N (the first N
answers to GET end in the middle), html (a web page), region (it is in eu-north-1), late (200 and then an error when parts are put
together), other (other bytes than it was given), huge (an answer without an end), clock (a date of yesterday and 403), full (507).
"""
import collections
import datetime
import email.utils
import http.server
import re
import sys
import urllib.parse

objects, uploads, seen = {}, {}, collections.Counter()


def error(code, region=""):
    return (f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>It is a bad day.</Message>{region}</Error>').encode()


class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def say(self, status, body=b"", type_="application/xml", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204:
            self.send_header("Content-Type", type_)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def date_time_string(self, timestamp=None):
        off = -86_400 if "clock" in self.path else 0
        return email.utils.format_datetime(datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=off), usegmt=True)

    def is_done(self, body):
        """What the key asks for, unless it wants the usual; true if that was the answer."""
        key = urllib.parse.urlparse(self.path).path
        counted = re.search(r"(slow|down|cut)-(\d+)", key)
        if counted:
            word, number = counted[1], int(counted[2])
            if word != "cut" or self.command == "GET":
                seen[self.command, key] += 1
                if seen[self.command, key] <= number:
                    if word == "slow":
                        self.say(503, error("SlowDown"), Retry_After="0")
                    elif word == "cut":
                        self.send_response(200)
                        self.send_header("Content-Length", str(len(objects.get(key, b""))))
                        self.end_headers()
                        self.wfile.write(objects.get(key, b"")[:5])
                    self.close_connection = True
                    return True
        answers = {
            "html": lambda: self.say(200, b"<html>Welcome to your new web server</html>", "text/html"),
            "region": lambda: self.say(400, error("AuthorizationHeaderMalformed", "<Region>eu-north-1</Region>")),
            "clock": lambda: self.say(403, error("AccessDenied")),
            "full": lambda: self.say(507, b""),
        }
        for word, answer in answers.items():
            if word in self.path:
                answer()
                return True
        if "huge" in key and self.command == "GET":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"10000\r\n" + bytes(65536) + b"\r\n")
            except OSError:
                self.close_connection = True
            return True
        return False

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.is_done(body):
            return
        address = urllib.parse.urlparse(self.path)
        key, query = address.path, dict(urllib.parse.parse_qsl(address.query, keep_blank_values=True))
        if self.command == "POST" and "uploads" in query:
            uploads["u1"] = {}
            self.say(200, b"<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>")
        elif self.command == "POST":
            if "late" in key:
                self.say(200, error("InternalError"))
            else:
                objects[key] = b"".join(uploads["u1"][number] for number in sorted(uploads["u1"]))
                self.say(200, b"<CompleteMultipartUploadResult><ETag>1</ETag></CompleteMultipartUploadResult>")
        elif self.command == "PUT" and "partNumber" in query:
            uploads["u1"][int(query["partNumber"])] = body
            self.say(200, ETag='"1"')
        elif self.command == "PUT":
            objects[key] = body
            self.say(200, ETag='"1"')
        elif self.command == "DELETE":
            if "uploadId" in query:
                uploads.pop(query["uploadId"], None)
            objects.pop(key, None)
            self.say(204)
        elif query.get("list-type"):
            word = query["prefix"].split("/")[-1]
            number = int(query.get("continuation-token", 0))
            # One that repeats its token, one that tells none, and one that begins again with each part.
            names = {"pending": sorted(uploads), "circle": [f"{number:04}"], "token": ["1"], "order": ["2", "1"]}.get(word, [])
            more = {"circle": "<NextContinuationToken>7</NextContinuationToken>", "token": ""}.get(word)
            self.say(200, ("<ListBucketResult>" + "".join(
                f"<Contents><Key>{query['prefix']}{name}</Key><Size>1</Size></Contents>" for name in names)
                + f"<IsTruncated>{str(more is not None).lower()}</IsTruncated>{more or ''}</ListBucketResult>").encode())
        elif key not in objects:
            self.say(404, error("NoSuchKey"))
        else:
            self.say(200, objects[key][::-1] if "other" in key else objects[key], "application/octet-stream")

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Store).serve_forever()
