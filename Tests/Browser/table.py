"""Every page that the two programs have. Whoever adds a page adds its line here: pages.py compares the
table with the routes in the sources and with the links that it finds, and says what is missing.

A pattern is written as its route is. An address of a pattern with {names} is found by following links;
`also` holds further addresses of the same page, such as a list that a filter leaves empty.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Page:
    side: str
    pattern: str
    # Who opens it: nobody, officer, administrator, OWN; on the field unit the inspector.
    roles: tuple
    also: tuple = ()
    status: int = 200
    # How many addresses of this pattern are looked at.
    most: int = 2


def office(pattern, *roles, **more):
    return Page("office", pattern, roles, **more)


def field(pattern, **more):
    return Page("field", pattern, ("inspector",), **more)


BOTH = ("officer", "administrator")
# The inspector at the office, who sees what is their own.
OWN = "inspector@office"

# The pages of the guide, which both programs show.
GUIDE = ("inspector", "officer", "administrator", "policy", "settings")

PAGES = [
    office("/sign-in", "nobody", also=("/sign-in?reason=expired",)),
    office("/tasks", *BOTH, OWN, also=("/tasks?text=nothing-is-called-so", "/tasks?sort=-due&state=accepted",
                                     "/tasks?parcel=GREEN-1")),
    office("/tasks/new", "officer", also=("/tasks/new?parcel=GREEN-1",)),
    office("/tasks/{id}", *BOTH, OWN, most=3),
    office("/tasks/{id}/order", "officer"),
    office("/tasks/{id}/places", "officer"),
    office("/tasks/{id}/attachments", "officer"),
    office("/bulk/{id}", "officer"),
    office("/tasks/{id}/compare", *BOTH),
    office("/tasks/import", "officer"),
    office("/parcels/import", *BOTH),
    office("/map", *BOTH, also=("/map?state=accepted",)),
    office("/tracks", *BOTH, OWN, also=("/tracks?hidden=yes",)),
    office("/account", *BOTH, OWN),
    office("/statistics", *BOTH),
    office("/templates", *BOTH),
    office("/templates/edit", *BOTH, also=("/templates/edit?type=Buffer strip",)),
    office("/inspectors", *BOTH),
    office("/agencies", "super-administrator"),
    office("/photos", *BOTH, OWN, also=("/photos?hidden=yes",)),
    office("/photos/{id}", *BOTH, OWN),
    office("/points", *BOTH, also=("/points?text=nothing-is-called-so", "/points?show=withdrawn")),
    office("/points/new", *BOTH),
    office("/points/{id}", *BOTH),
    office("/points/{id}/compare", *BOTH),
    office("/composites", *BOTH),
    office("/composites/{id}", *BOTH),
    office("/sets", *BOTH, OWN),
    office("/sets/{id}", *BOTH),
    office("/people", "administrator"),
    office("/policy", "administrator"),
    office("/base-maps", "administrator"),
    office("/base-maps/{name}", "administrator"),
    office("/set-up", "administrator", also=tuple(f"/set-up?step={step}" for step in (
        "parcels", "map", "policy", "device", "end")), most=6),
    office("/invitations", "administrator", also=("/invitations?login=nobody",)),
    office("/phones", "administrator"),
    office("/help", "nobody", *BOTH, OWN, also=("/help?q=parcel", "/help?q=nothing-is-called-so")),
    *(office(f"/help/{page}", "nobody", "officer") for page in GUIDE),
    office("/log", *BOTH, also=("/log?text=nothing-is-called-so",)),
    # Refusals are pages, too.
    office("(a refusal)", "officer", also=("/people",), status=403),
    office("(nothing there)", "officer", also=("/no-such-page",), status=404),

    field("/"),
    field("/tasks", also=("/tasks?text=nothing-is-called-so", "/tasks?sort=distance&state=todo&reverse=yes")),
    field("/tasks/{id}"),
    field("/tasks/{id}/send"),
    field("/camera"),
    field("/photos"),
    field("/photos/{id}"),
    field("/photos/{id}/full"),
    field("/photos/{id}/delete"),
    field("/photos/{id}/compare"),
    field("/photos/{id}/point"),
    # Behind the form before it; point_day.py looks at it.
    field("/photos/{id}/point/summary"),
    field("/nearby", also=("/nearby?show=all",)),
    field("/nearby/label"),
    field("/composites"),
    field("/composites/{id}"),
    field("/sets"),
    field("/sets/new"),
    field("/sets/camera"),
    field("/sets/{id}"),
    field("/points/{id}"),
    field("/map", also=("/map?track=nothing-is-called-so",)),
    field("/map/offline", also=("/map/offline?box=16.62,49.07,16.64,49.09&zoom=15",)),
    field("/tracks"),
    field("/tracks/{id}"),
    field("/outbox"),
    field("/outbox/receipts"),
    field("/settings"),
    field("/settings/receiver"),
    field("/settings/defaults"),
    field("/phones"),
    field("/phones/{id}/lens"),
    field("/hotspot"),
    field("/start", also=("/start?step=camera", "/start?step=sensors", "/start?step=storage",
                          "/start?step=clock", "/start?step=end"), most=6),
    field("/about"),
    field("/about/support"),
    field("/not-running"),
    field("/sky"),
    field("/help", also=("/help?q=photo", "/help?q=nothing-is-called-so")),
    *(field(f"/help/{page}") for page in GUIDE),
    field("/sign-out"),
    field("(nothing there)", also=("/no-such-page",), status=404),
]

FORMATS = {
    "kml": "application/vnd.google-earth.kml", "kmz": "application/vnd.google-earth.kmz", "gpx": "application/gpx+xml",
    "geojson": "application/geo+json", "gpkg": "application/geopackage+sqlite3", "csv": "text/csv",
}

# What is no page: pattern and the beginning of its media type; None where it only leads on.
FILES = {
    **{(side, f"/{kind}s/{{id}}/{kind}.{ending}"): media for side in ("office", "field")
       for kind in ("photo", "task", "track") for ending, media in FORMATS.items()},
    **{("field", f"/tasks.{ending}"): media for ending, media in FORMATS.items()},
    ("office", "/"): None,
    # There only while an office is empty: first_hour.py looks at it.
    ("office", "/first-run"): None,
    ("office", "/authority.pem"): "application/x-pem-file",
    ("field", "/device.json"): "application/json",
    **{("office", f"/checkpoint{rest}"): "text/plain" for rest in
       ("", "s", "s/key", "s/{size}", "s/{size}/entry/{number}", "s/{size}/from/{earlier}")},
    ("office", "/photos/{id}/photo.jpg"): "image/jpeg",
    ("office", "/photos/{id}/preview.jpg"): "image/jpeg",
    ("office", "/photos/{id}/thumbnail.jpg"): "image/jpeg",
    ("office", "/photos/{id}/photo.pdf"): "application/pdf",
    ("office", "/photos/{id}/phone.json"): "application/json",
    ("office", "/log/log.csv"): "text/csv",
    ("office", "/statistics/answers.csv"): "text/csv",
    ("office", "/assets/leaflet/{name...}"): "",
    ("office", "/assets/base-maps.css"): "text/css",
    ("office", "/assets/guide.css"): "text/css",
    ("office", "/help/{page}"): None,
    ("office", "/assets/map.css"): "text/css",
    ("office", "/assets/map.js"): "text/javascript",
    ("office", "/assets/outline.js"): "text/javascript",
    ("office", "/assets/review.css"): "text/css",
    ("office", "/assets/review.js"): "text/javascript",
    ("office", "/assets/photo-mark.js"): "text/javascript",
    ("office", "/assets/list.css"): "text/css",
    ("office", "/assets/list.js"): "text/javascript",
    ("office", "/assets/statistics.css"): "text/css",
    ("office", "/assets/templates.css"): "text/css",
    ("office", "/health/live"): None,
    ("office", "/health/ready"): None,
    ("office", "/metrics"): None,
    ("office", "/map/view.json"): "application/json",
    ("office", "/photos/map.json"): "application/json",
    ("office", "/map/parcels.json"): "application/json",
    ("office", "/tasks/{id}/map.json"): "application/json",
    ("office", "/map/tiles/{name}/{zoom}/{x}/{y}"): "image/png",
    ("office", "/tasks/{id}/bundle.zip"): "application/zip",
    ("office", "/tasks/{id}/task.pdf"): "application/pdf",
    ("field", "/photos/{id}/photo.jpg"): "image/jpeg",
    ("field", "/photos/{id}/thumbnail.jpg"): "image/jpeg",
    ("field", "/photos/{id}/photo.pdf"): "application/pdf",
    ("field", "/points/{id}/reference.jpg"): "image/jpeg",
    ("field", "/points/{id}/footing.jpg"): "image/jpeg",
    ("field", "/points/{id}/thumbnail.jpg"): "image/jpeg",
    ("field", "/live/points/{id}"): "text/event-stream",
    ("field", "/assets/points.css"): "text/css",
    ("field", "/assets/compare.js"): "text/javascript",
    ("field", "/assets/compare.css"): "text/css",
    ("field", "/assets/subject-pin.js"): "text/javascript",
    ("office", "/assets/subject-pin.js"): "text/javascript",
    ("office", "/points/{id}/reference.jpg"): "image/jpeg",
    ("office", "/points/picture/{id}"): "image/jpeg",
    ("office", "/tasks/{id}/files/{digest}"): "image/jpeg",
    ("office", "/templates/pictures/{digest}"): "image/jpeg",
    ("field", "/tasks/{id}/files/{digest}"): "image/jpeg",
    ("field", "/live/tasks/{id}/place"): "text/event-stream",
    ("field", "/assets/leaflet/{name...}"): "",
    ("field", "/assets/field-map.css"): "text/css",
    ("field", "/assets/field-map.js"): "text/javascript",
    ("field", "/assets/guide.js"): "text/javascript",
    ("field", "/assets/compass.js"): "text/javascript",
    ("field", "/map/view.json"): "application/json",
    ("field", "/map/parcels.json"): "application/json",
    ("field", "/map/earlier.json"): "application/json",
    ("field", "/map/earlier/{id}/small.jpg"): "image/jpeg",
    ("field", "/map/tiles/{name}/{zoom}/{x}/{y}"): "image/png",
    ("field", "/tracks/{id}/points.json"): "application/json",
    ("field", "/live/map"): "text/event-stream",
    ("field", "/live/offline"): "text/event-stream",
    ("field", "/assets/camera.css"): "text/css",
    ("field", "/assets/camera.js"): "text/javascript",
    ("field", "/assets/camera-aim.js"): "text/javascript",
    ("field", "/assets/answers.js"): "text/javascript",
    ("field", "/assets/camera-pose.js"): "text/javascript",
    ("field", "/assets/camera-clock.js"): "text/javascript",
    ("field", "/assets/camera-feedback.js"): "text/javascript",
    ("field", "/assets/camera-sender.js"): "text/javascript",
    ("field", "/camera/clock"): "application/json",
    ("field", "/camera/frame/bytes"): "application/json",
    ("field", "/assets/camera-frame.js"): "text/javascript",
    ("field", "/assets/camera-match.js"): "text/javascript",
    ("field", "/assets/camera-repeat.js"): "text/javascript",
    ("office", "/assets/compare.js"): "text/javascript",
    ("office", "/assets/compare.css"): "text/css",
    ("office", "/assets/points.css"): "text/css",
    ("office", "/assets/archive-pin.js"): "text/javascript",
    # The camera's page under its earlier name.
    ("field", "/gate"): None,
    ("field", "/sign-in"): None,
    # Of the page that pairs a phone, the device itself sees nothing: phone_day.py looks at it.
    ("field", "/pair"): None,
    ("field", "/live/phones"): "text/event-stream",
    # The certificate is at another port, while a code holds.
    ("field", "/field-unit.crt"): None,
    ("field", "/sign-in/code"): None,
    ("field", "/assets/code-reader.css"): "text/css",
    ("field", "/assets/code-reader.js"): "text/javascript",
    ("field", "/assets/settings.css"): "text/css",
    ("field", "/assets/guide.css"): "text/css",
    ("field", "/sign-in/server"): None,
    ("field", "/about/support.zip"): "application/zip",
    ("field", "/manifest.webmanifest"): "application/manifest+json",
    ("field", "/service-worker.js"): "text/javascript",
    ("field", "/assets/app-192.png"): "image/png",
    ("field", "/assets/app-512.png"): "image/png",
    ("field", "/live/home"): "text/event-stream",
    ("field", "/live/lights"): "text/event-stream",
    ("field", "/live/start"): "text/event-stream",
    ("field", "/live/delivery"): "text/event-stream",
    ("field", "/live/outbox"): "text/event-stream",
    ("field", "/assets/outbox.css"): "text/css",
    ("field", "/assets/outbox.js"): "text/javascript",
    ("field", "/live/camera"): "text/event-stream",
    # Behind the camera's Send; inspector_day.py looks at it.
    ("field", "/camera/sent"): None,
    ("field", "/live/camera/sent"): "text/event-stream",
    ("field", "/live/light"): "text/event-stream",
    ("field", "/live/pairing"): "text/event-stream",
    ("field", "/live/sky"): "text/event-stream",
    ("field", "/assets/sky.css"): "text/css",
    # Two photos are chosen before; composites.py looks at them, called by point_day.py.
    **{(side, path): None for side in ("field", "office") for path in ("/compose", "/compose/choose", "/composites/{id}/change")},
    **{(side, path): "image/jpeg" for side in ("field", "office")
       for path in ("/compose/preview.jpg", "/compose/photo.jpg", "/composites/{id}/composite.jpg",
                    "/composites/{id}/thumbnail.jpg")},
    **{(side, "/assets/compose.js"): "text/javascript" for side in ("field", "office")},
    **{(side, "/assets/compose.css"): "text/css" for side in ("field", "office")},
    **{(side, "/assets/set-viewer.js"): "text/javascript" for side in ("field", "office")},
    **{(side, "/assets/set-viewer.css"): "text/css" for side in ("field", "office")},
    **{("field", f"/assets/set-{name}.js"): "text/javascript" for name in ("judge", "camera")},
    ("field", "/assets/set-camera.css"): "text/css",
    ("field", "/live/sets"): "text/event-stream",
    # set_day.py makes a set, and looks at its pages.
    **{(side, "/sets/{id}/around.json"): "application/json" for side in ("field", "office")},
    **{(side, "/sets/{id}/set.pdf"): "application/pdf" for side in ("field", "office")},
    **{(side, "/sets/{id}/around.zip"): "application/zip" for side in ("field", "office")},
    **{(side, "/sets/{id}/frames/{name}"): "image/jpeg" for side in ("field", "office")},
}

# Pages that the story has nothing for: looked at where something is found, and not missed otherwise.
MAY_BE_EMPTY = {("office", "/photos/{id}"), ("office", "/points/{id}"), ("office", "/points/{id}/compare"),
                ("field", "/photos/{id}/delete"), ("field", "/photos/{id}/compare"), ("field", "/photos/{id}/point/summary"),
                ("field", "/points/{id}"), ("office", "/composites/{id}"), ("field", "/composites/{id}"),
                ("office", "/sets/{id}"), ("field", "/sets/{id}"),
                # phone_day.py looks at it: nothing is paired in the stage.
                ("field", "/phones/{id}/lens")}
