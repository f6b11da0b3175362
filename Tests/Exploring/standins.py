#!/usr/bin/env python3
"""Makes documents of the kinds of twitter.json, citm_catalog.json and canada.json, for a machine that does not have these.

    Tests/Exploring/standins.py FOLDER

The same bytes on each run. Keys, nesting, nulls, ids as keys and the forms of dates and numbers are those of the documents.
"""
import json
import random
import sys
from pathlib import Path

dice = random.Random(20160123)


def some_id(digits=9):
    return dice.randrange(10 ** (digits - 1), 10**digits)


def words(count):
    known = ["été", "一言", "name", "good place", "✨", "a \"quoted\" word", "line\nbreak", "Ελληνικά", "http://t.co/x", "ok"]
    return " ".join(dice.choice(known) for _ in range(count))


def moment():
    day, hour = dice.randrange(10, 28), dice.randrange(10, 24)
    return f"{dice.choice(['Sun', 'Mon', 'Sat'])} Aug {day} {hour}:29:{dice.randrange(10, 60)} +0000 201{dice.randrange(1, 5)}"


def user():
    number = some_id()
    image = f"://pbs.twimg.com/profile_images/{some_id()}/x_normal.jpeg"
    made = {
        "id": number, "id_str": str(number), "name": words(1), "screen_name": f"user{number}", "location": words(1),
        "description": words(5), "url": dice.choice([None, "http://t.co/abc"]), "entities": {"description": {"urls": []}},
        "protected": False, "followers_count": dice.randrange(9000), "friends_count": dice.randrange(900),
        "listed_count": 0, "created_at": moment(), "favourites_count": dice.randrange(99),
        "utc_offset": dice.choice([None, 32400]), "time_zone": dice.choice([None, "Irkutsk"]), "geo_enabled": dice.random() < 0.3,
        "verified": False, "statuses_count": dice.randrange(99999), "lang": dice.choice(["ja", "en"]),
        "profile_background_color": "C0DEED", "profile_image_url": "http" + image, "profile_image_url_https": "https" + image,
        "profile_link_color": "0084B4", "default_profile": dice.random() < 0.5, "following": False,
    }
    if dice.random() < 0.7:
        made["profile_banner_url"] = f"https://pbs.twimg.com/profile_banners/{number}/{some_id()}"
    return made


def status(depth=0):
    number = some_id(18)
    entities = {"hashtags": [], "symbols": [], "urls": [], "user_mentions": []}
    if dice.random() < 0.5:
        other = some_id()
        mention = {"screen_name": f"user{other}", "name": words(1), "id": other, "id_str": str(other), "indices": [0, 9]}
        entities["user_mentions"].append(mention)
    if dice.random() < 0.3:
        link = {"url": "http://t.co/y", "expanded_url": "http://example.com/y", "display_url": "example.com/y", "indices": [1, 2]}
        entities["urls"].append(link)
    if dice.random() < 0.2:
        size = {"w": 600, "h": 399, "resize": "fit"}
        media = some_id(18)
        entities["media"] = [{
            "id": media, "id_str": str(media), "indices": [4, 26], "media_url": "http://pbs.twimg.com/media/z.jpg",
            "url": "http://t.co/z", "type": "photo", "sizes": {"medium": size, "small": size, "thumb": size, "large": size},
        }]
    answered = dice.choice([None, some_id()])
    made = {
        "metadata": {"result_type": "recent", "iso_language_code": "ja"}, "created_at": moment(), "id": number,
        "id_str": str(number), "text": words(8), "source": "<a href=\"http://example.com\" rel=\"nofollow\">a client</a>",
        "truncated": False, "in_reply_to_status_id": answered, "in_reply_to_status_id_str": answered and str(answered),
        "user": user(), "geo": None, "coordinates": None, "place": None, "retweet_count": dice.randrange(80),
        "entities": entities, "favorited": False, "lang": "ja",
    }
    if depth == 0 and dice.random() < 0.6:
        made["retweeted_status"] = status(1)
    if dice.random() < 0.3:
        made["possibly_sensitive"] = dice.random() < 0.5
    return made


def timeline():
    search = {
        "completed_in": 0.087, "max_id": some_id(18), "query": "%E4%B8%80", "refresh_url": "?since_id=1", "count": 100,
        "since_id": 0, "since_id_str": "0",
    }
    return {"statuses": [status() for _ in range(60)], "search_metadata": search}


def catalog():
    def named(count, word):
        return {str(some_id()): f"{word} {index}é" for index in range(count)}

    areas, seats, topics, below = named(17, "area"), named(40, "category"), named(4, "topic"), named(19, "subtopic")
    events = {}
    for _ in range(120):
        number = some_id()
        events[str(number)] = {
            "description": None, "id": number, "logo": dice.choice([None, "/images/UE0AAAAACEKo6QAAAAZDSVRN"]),
            "name": words(3), "subTopicIds": [int(dice.choice(list(below))) for _ in range(2)], "subjectCode": None,
            "subtitle": None, "topicIds": [int(dice.choice(list(topics)))],
        }
    performances = []
    for event in events.values():
        prices = [
            {"amount": 1250 * dice.randrange(1, 80), "audienceSubCategoryId": 337100890, "seatCategoryId": int(seat)}
            for seat in list(seats)[:3]
        ]
        categories = [
            {"areas": [{"areaId": int(area), "blockIds": []} for area in list(areas)[:5]], "seatCategoryId": int(seat)}
            for seat in list(seats)[:3]
        ]
        performances.append({
            "eventId": event["id"], "id": some_id(), "logo": event["logo"], "name": None, "prices": prices,
            "seatCategories": categories, "seatMapImage": None, "start": 1372701600000 + 3600000 * dice.randrange(9000),
            "venueCode": "PLEYEL_PLEYEL",
        })
    return {
        "areaNames": areas, "audienceSubCategoryNames": {"337100890": "Abonné"}, "blockNames": {}, "events": events,
        "performances": performances, "seatCategoryNames": seats, "subTopicNames": below, "subjectNames": {},
        "topicNames": topics, "topicSubTopics": {topic: [int(name) for name in list(below)[:3]] for topic in topics},
        "venueNames": {"PLEYEL_PLEYEL": "Salle Pleyel"},
    }


def country():
    rings = []
    for _ in range(60):
        x, y = dice.uniform(-140, -55), dice.uniform(42, 83)
        rings.append([[x + dice.uniform(0, 1), y + dice.uniform(0, 1)] for _ in range(100)])
    feature = {
        "type": "Feature", "properties": {"name": "Canada"}, "geometry": {"type": "Polygon", "coordinates": rings}
    }
    return {"type": "FeatureCollection", "features": [feature]}


folder = Path(sys.argv[1])
for name, document in [("twitter", timeline()), ("citm_catalog", catalog()), ("canada", country())]:
    (folder / f"{name}.json").write_text(json.dumps(document, ensure_ascii=False, indent=None if name == "canada" else 4))
