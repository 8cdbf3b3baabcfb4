#!/bin/bash
# Makes exports/ and schemas/field.sql again from the committed fixtures (Tests/ExportsTests,
# Tests/Fixtures/day; the bundle's in Tests/EvidenceTests) and the migrations. Signatures are random: the
# bundle is written only where something else of it has changed, or where there is none. Look at the difference before you commit it: it is what users will see.
set -euo pipefail
cd "$(dirname "$0")/.."
STANDPOINT_UPDATE=1 swift test --jobs "${JOBS:-2}" --filter 'ExportsTests|StoreTests|SampleBundleTests|SampleSetTests'
git --no-pager status --short -- exports schemas
git --no-pager diff --stat -- exports schemas
