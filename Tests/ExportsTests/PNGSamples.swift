/// PNGs of 4 by 4 pixels, made by Pillow, in each kind of colour that tiles have.
enum PNGSamples {
  static let all: [(String, String)] = [
    (
      "colour",
      "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAFElEQVR42mP8JSLHAANMDEgANwcAPHgB"
        + "NJjqv+UAAAAASUVORK5CYII="
    ),
    (
      "transparent",
      "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAFUlEQVR42mP8JSL3nwEJMDGgAcICAI9I"
        + "AjPftCPKAAAAAElFTkSuQmCC"
    ),
    (
      "palette",
      "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAMAAACeL25MAAACplBMVEUAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAzAABmAACZAADMAAD/AAAAMwAzMwBmMwCZMwDMMwD/MwAAZgAzZgBmZgCZZgDM"
        + "ZgD/ZgAAmQAzmQBmmQCZmQDMmQD/mQAAzAAzzABmzACZzADMzAD/zAAA/wAz/wBm/wCZ/wDM/wD//wAA"
        + "ADMzADNmADOZADPMADP/ADMAMzMzMzNmMzOZMzPMMzP/MzMAZjMzZjNmZjOZZjPMZjP/ZjMAmTMzmTNm"
        + "mTOZmTPMmTP/mTMAzDMzzDNmzDOZzDPMzDP/zDMA/zMz/zNm/zOZ/zPM/zP//zMAAGYzAGZmAGaZAGbM"
        + "AGb/AGYAM2YzM2ZmM2aZM2bMM2b/M2YAZmYzZmZmZmaZZmbMZmb/ZmYAmWYzmWZmmWaZmWbMmWb/mWYA"
        + "zGYzzGZmzGaZzGbMzGb/zGYA/2Yz/2Zm/2aZ/2bM/2b//2YAAJkzAJlmAJmZAJnMAJn/AJkAM5kzM5lm"
        + "M5mZM5nMM5n/M5kAZpkzZplmZpmZZpnMZpn/ZpkAmZkzmZlmmZmZmZnMmZn/mZkAzJkzzJlmzJmZzJnM"
        + "zJn/zJkA/5kz/5lm/5mZ/5nM/5n//5kAAMwzAMxmAMyZAMzMAMz/AMwAM8wzM8xmM8yZM8zMM8z/M8wA"
        + "ZswzZsxmZsyZZszMZsz/ZswAmcwzmcxmmcyZmczMmcz/mcwAzMwzzMxmzMyZzMzMzMz/zMwA/8wz/8xm"
        + "/8yZ/8zM/8z//8wAAP8zAP9mAP+ZAP/MAP//AP8AM/8zM/9mM/+ZM//MM///M/8AZv8zZv9mZv+ZZv/M"
        + "Zv//Zv8Amf8zmf9mmf+Zmf/Mmf//mf8AzP8zzP9mzP+ZzP/MzP//zP8A//8z//9m//+Z///M//////91"
        + "g91EAAAAGUlEQVR42mMwFjXmZzDmtzRmsOS3BLGMRQEX6gJTI0sq9wAAAABJRU5ErkJggg=="
    ),
    (
      "grey",
      "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAAEElEQVR42mOsYGBgYGJAIQAJTACAfkDR"
        + "hgAAAABJRU5ErkJggg=="
    ),
    (
      "transparent grey",
      "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAQAAAAD+Fb1AAAAFklEQVR42mOsOMHAwMDAwMDEwICLAQAr"
        + "rAFIOTTgAQAAAABJRU5ErkJggg=="
    ),
  ]
}
