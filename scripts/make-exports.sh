#!/bin/bash
# Makes exports/ and schemas/field.sql again from the committed fixture (Tests/ExportsTests) and the
# migrations. Look at the difference before you commit it: it is what users will see.
set -euo pipefail
cd "$(dirname "$0")/.."
STANDPOINT_UPDATE=1 swift test --jobs "${JOBS:-2}" --filter 'ExportsTests|StoreTests'
git --no-pager diff --stat -- exports schemas
