#!/bin/bash
# Replays recorded sessions of phones (Examples/phones) against a running office, with curl:
#
#     scripts/replay-phones.sh ADDRESS LOGIN PASSWORD [ios|android|egnss4all]...
#
# ADDRESS is https://office.example/SECRET, as `office agency phones` or the page Phones has shown it, without ws/. PASSWORD
# may be -, and is then read from standard input. Without names all three are replayed; each takes the next of the
# inspector's tasks that is new, open or returned. Numbers of user, task and photo are drawn by each office: they are asked
# for first and put in the places of the recorded ones, with the app's digest, which is over one of them, and with other
# last digits of the photos' times, so that a second replay sends other photos. Everything else goes as it was recorded.
# Each answer is printed; the first that is not what it should be ends it with status 1.
set -euo pipefail
export LC_ALL=C
recorded=$(cd "$(dirname "$0")/../Examples/phones" && pwd)
# Another one for each replay, for the last digits of times: tenths of seconds.
moment=$(($(date +%s%N) / 100000000))
# It stands in every copy of the apps.
app_secret=bfb576892e43b763731a1596c428987893b2e76ce1be10f733

usage() {
  echo "usage: scripts/replay-phones.sh https://OFFICE/SECRET LOGIN PASSWORD|- [ios|android|egnss4all]..." >&2
  exit 2
}
[[ $# -ge 3 && $1 == http*://*/* ]] || usage
address=${1%/}
login=$2
password=$3
shift 3
if [[ $password == - ]]; then IFS= read -r password || usage; fi
sessions=("$@")
((${#sessions[@]})) || sessions=(ios android egnss4all)
for session in "${sessions[@]}"; do
  [[ $session =~ ^[a-z0-9]+$ && -f $recorded/$session/session.tsv ]] || usage
done
command -v curl >/dev/null || { echo "replay-phones: curl is missing: apt install curl" >&2; exit 2; }

surprise() {
  echo "replay-phones: $session: $1: $2" >&2
  exit 1
}

# The bytes of a text as two hexadecimal digits each.
bytes() { od -An -v -tx1 | tr -d ' \n'; }

# A text as the session's app writes it into a form.
written() {
  if [[ $encoding == raw ]]; then
    printf %s "$1"
    return
  fi
  local digits byte
  digits=$(printf %s "$1" | bytes)
  while [[ -n $digits ]]; do
    byte=${digits:0:2}
    digits=${digits:2}
    case $byte in
      3[0-9] | 4[1-9a-f] | 5[0-9a] | 6[1-9a-f] | 7[0-9a]) printf "\\x$byte" ;;
      *) printf %%%s "${byte^^}" ;;
    esac
  done
}

# One session: what it was recorded with, and what stands for it today.
replay() {
  local -A was=() is=()
  local encoding=raw headers=(-H 'Content-Type: application/x-www-form-urlencoded')
  local word first second check picture created digest body answer number name
  # Android's apps send these, whatever the office asks for.
  [[ $session == android ]] && headers+=(-H 'Authorization: Basic bG9naW46cGFzc3dvcmQ=')
  is[login]=$login
  is[password]=$password
  while IFS=$'\t' read -r word first second check picture created digest; do
    case $word in
      '' | '#'*) continue ;;
      encoding) encoding=$first ;;
      login | password | user | task | photo) was[$word]=$first ;;
      call)
        body=$(<"$recorded/$session/$second")
        for name in "${!was[@]}"; do
          [[ -n ${is[$name]:-} ]] || continue
          body=${body//"$(written "${was[$name]}")"/"$(written "${is[$name]}")"}
        done
        if [[ -n $created ]]; then photograph; fi
        answer=$(printf %s "$body" | curl -sS --max-time 100 "${headers[@]}" --data-binary @- -w '\n%{http_code}' \
          "$address$first") || surprise "$first" "no answer"
        printf '%s %s: %.300s\n' "$session" "$first" "${answer%$'\n'*}"
        [[ ${answer##*$'\n'} == 200 ]] || surprise "$first" "status ${answer##*$'\n'}, and not 200"
        answer=${answer%$'\n'*}
        [[ $answer == '{"status":"ok","error_msg":null'* ]] || surprise "$first" "it is not ok"
        look
        ;;
      *) surprise session.tsv "the word $word is unknown" ;;
    esac
  done <"$recorded/$session/session.tsv"
}

# Another time within the same minutes, and the app's digest over it, today's user and the picture.
photograph() {
  local new=$created inner
  if [[ $check != again ]]; then
    # Android's has milliseconds, iOS's has none.
    case $created in
      *.???+*) new="${created%.???+*}.$(printf %03d $((moment % 1000)))+${created##*+}" ;;
      *) new="${created% *} 09:$(printf %02d:%02d $((moment / 60 % 20)) $((moment % 60)))" ;;
    esac
    is[created]=$new
  fi
  inner="${app_secret}_${picture}_${is[created]}_${is[user]}"
  inner=$(printf %s "$inner" | sha256sum)
  body=${body//"$(written "$created")"/"$(written "${is[created]}")"}
  body=${body//"$digest"/"${inner%% *}"}
}

# What is looked for in an answer, and what is kept of it.
look() {
  case $check in
    ok) ;;
    user)
      [[ $answer =~ '"user":{"id":"'([0-9]+)'"' ]] || surprise "$first" "it has no user"
      is[user]=${BASH_REMATCH[1]}
      ;;
    task)
      [[ $answer =~ '"id":"'([0-9]+)'","status":"'(new|open|returned)'"' ]] ||
        surprise "$first" "$login has no task that is new, open or returned: order one for each session"
      is[task]=${BASH_REMATCH[1]}
      ;;
    photo)
      [[ $answer =~ '"photo_id":'([0-9]+) ]] || surprise "$first" "it has no photo_id"
      is[photo]=${BASH_REMATCH[1]}
      ;;
    again)
      [[ $answer =~ '"photo_id":'([0-9]+) && ${BASH_REMATCH[1]} == "${is[photo]}" ]] ||
        surprise "$first" "the photo was taken for another one"
      ;;
    provided)
      [[ $answer == *"\"id\":\"${is[task]}\",\"status\":\"data provided\""* ]] ||
        surprise "$first" "the task is not provided"
      ;;
    picture)
      [[ $answer =~ '"photo":"'([A-Za-z0-9+/\\=]+)'"' ]] || surprise "$first" "it has no picture"
      number=$(printf %s "${BASH_REMATCH[1]//\\/}" | base64 -d | sha256sum)
      [[ ${number%% *} == "$picture" ]] || surprise "$first" "its picture is not the one that was sent"
      ;;
    path) [[ $answer =~ '"path_id":'[0-9]+ ]] || surprise "$first" "it has no path_id" ;;
    *) surprise session.tsv "the check $check is unknown" ;;
  esac
}

for session in "${sessions[@]}"; do replay; done
echo "replayed as recorded: ${sessions[*]}"
