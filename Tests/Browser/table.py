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

PAGES = [
    office("/sign-in", "nobody", also=("/sign-in?reason=expired",)),
    office("/tasks", *BOTH, OWN, also=("/tasks?text=nothing-is-called-so", "/tasks?sort=-due&state=accepted",
                                     "/tasks?parcel=GREEN-1")),
    office("/tasks/new", "officer", also=("/tasks/new?parcel=GREEN-1",)),
    office("/tasks/{id}", *BOTH, OWN, most=3),
    office("/tasks/{id}/order", "officer"),
    office("/tasks/{id}/compare", *BOTH),
    office("/tasks/import", "officer"),
    office("/parcels/import", *BOTH),
    office("/map", *BOTH, also=("/map?state=accepted",)),
    office("/tracks", *BOTH, OWN, also=("/tracks?hidden=yes",)),
    office("/account", *BOTH, OWN),
    office("/inspectors", *BOTH),
    office("/agencies", "super-administrator"),
    office("/photos", *BOTH, OWN, also=("/photos?hidden=yes",)),
    office("/photos/{id}", *BOTH, OWN),
    office("/people", "administrator"),
    office("/policy", "administrator"),
    office("/log", *BOTH, also=("/log?text=nothing-is-called-so",)),
    # Refusals are pages, too.
    office("(a refusal)", "officer", also=("/people",), status=403),
    office("(nothing there)", "officer", also=("/no-such-page",), status=404),

    field("/"),
    field("/tasks", also=("/tasks?text=nothing-is-called-so",)),
    field("/tasks/{id}"),
    field("/tasks/{id}/send"),
    field("/gate"),
    field("/photos"),
    field("/photos/{id}"),
    field("/outbox"),
    field("/settings"),
    field("/sky"),
    field("/sign-out"),
    field("(nothing there)", also=("/no-such-page",), status=404),
]

# What is no page: pattern and the beginning of its media type; None where it only leads on.
FILES = {
    ("office", "/"): None,
    ("office", "/authority.pem"): "application/x-pem-file",
    ("office", "/photos/{id}/photo.jpg"): "image/jpeg",
    ("office", "/photos/{id}/preview.jpg"): "image/jpeg",
    ("office", "/photos/{id}/thumbnail.jpg"): "image/jpeg",
    ("office", "/photos/{id}/photo.kml"): "application/vnd.google-earth.kml",
    ("office", "/photos/{id}/photo.pdf"): "application/pdf",
    ("office", "/tracks/{id}/track.kml"): "application/vnd.google-earth.kml",
    ("office", "/log/log.csv"): "text/csv",
    ("office", "/assets/leaflet/{name...}"): "",
    ("office", "/assets/map.css"): "text/css",
    ("office", "/assets/map.js"): "text/javascript",
    ("office", "/health/live"): None,
    ("office", "/health/ready"): None,
    ("office", "/metrics"): None,
    ("office", "/map/view.json"): "application/json",
    ("office", "/map/parcels.json"): "application/json",
    ("office", "/tasks/{id}/map.json"): "application/json",
    ("office", "/map/tiles/{name}/{zoom}/{x}/{y}"): "image/png",
    ("office", "/tasks/{id}/bundle.zip"): "application/zip",
    ("office", "/tasks/{id}/task.kml"): "application/vnd.google-earth.kml",
    ("office", "/tasks/{id}/task.pdf"): "application/pdf",
    ("field", "/photos/{id}/photo.jpg"): "image/jpeg",
    ("field", "/sign-in"): None,
    ("field", "/live/delivery"): "text/event-stream",
    ("field", "/live/gate"): "text/event-stream",
    ("field", "/live/light"): "text/event-stream",
    ("field", "/live/numbers"): "text/event-stream",
    ("field", "/live/pairing"): "text/event-stream",
    ("field", "/live/sky"): "text/event-stream",
    ("field", "/assets/sky.css"): "text/css",
}

# Pages that the story has nothing for: looked at where something is found, and not missed otherwise.
MAY_BE_EMPTY = {("office", "/photos/{id}")}
