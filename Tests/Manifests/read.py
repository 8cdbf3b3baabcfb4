"""What PyPI's c2pa-python says of photos: one line of JSON for each.

    read.py AUTHORITY.pem PHOTO...

`alone` is read as it is, `trusted` with the authority as trust anchor: the state, and the codes of all
that is not as it must be. `record` is what the record's assertion holds, `actions` what was done,
`ingredients` of which photos a composite was made.
"""

import json
import sys

import c2pa


def read(path, settings):
    try:
        with c2pa.Reader(path, context=c2pa.Context(c2pa.Settings.from_dict(settings))) as reader:
            return json.loads(reader.json())
    except c2pa.C2paError as error:
        return {"validation_state": str(error)}


def summary(result):
    return {
        "state": result.get("validation_state"),
        "codes": [status["code"] for status in result.get("validation_status", [])],
    }


anchors = {"trust": {"trust_anchors": open(sys.argv[1], encoding="ascii").read()}}
for path in sys.argv[2:]:
    alone = read(path, {})
    answer = {"alone": summary(alone), "trusted": summary(read(path, anchors))}
    manifest = alone.get("manifests", {}).get(alone.get("active_manifest"), {})
    for assertion in manifest.get("assertions", []):
        if assertion["label"] in ("org.standpoint.record", "org.standpoint.composite"):
            answer["record"] = assertion["data"]
        if assertion["label"].startswith("c2pa.actions"):
            answer["actions"] = [
                [action["action"], action.get("digitalSourceType", "")]
                for action in assertion["data"]["actions"]
            ]
    answer["ingredients"] = [
        [one["relationship"], one.get("title", ""), one.get("active_manifest", "")]
        for one in manifest.get("ingredients", [])
    ]
    print(json.dumps(answer))
