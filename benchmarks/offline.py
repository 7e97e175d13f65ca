"""The offline writer over every pair of a résumé and a posting of the corpus (offline.*)."""

import time
from collections import Counter
from collections.abc import Iterable

from benchmarks.people import TODAY
from benchmarks.postings import Advert, adverts
from benchmarks.report import Report, percentile
from benchmarks.resumes import resumes
from jobsteward.profile.facts import facts_of
from jobsteward.profile.model import Profile
from jobsteward.profile.skills import broader, find_skills
from jobsteward.writing.gate import judge, refused
from jobsteward.writing.offline import compose
from jobsteward.writing.port import Brief, Need, claims_of


async def offline() -> Report:
    """Unsupported claims in all, and the share in percent of evidencable requirements shown.

    A requirement counts once for every skill in it that the person's facts name; whether
    the documents name it is read from their text alone.
    """
    report = Report("offline")
    people, jobs = list(resumes()), list(adverts())
    took: list[float] = []
    shown = due = claims = 0
    unsupported: Counter[str] = Counter()
    for _, profile in people:
        known = _named(fact.text for fact in facts_of(profile))
        for job in jobs:
            began = time.perf_counter()
            texts, wrong = _pair(profile, job)
            took.append(1000 * (time.perf_counter() - began))
            claims += len(texts)
            unsupported.update(wrong)
            named = _named(texts)
            asked = [skill for need in job.needs for skill in _asked(need) if skill in known]
            due += len(asked)
            shown += sum(skill in named for skill in asked)
    report.set("resumes", len(people))
    report.set("postings", len(jobs))
    report.set("claims", claims)
    report.set("unsupported", sum(unsupported.values()))
    report.set("coverage", 100 * shown / due if due else 100.0)
    report.set("pair_ms_p95", percentile(took, 95) if took else 0.0)
    report.settings["unsupported"] = dict(unsupported.most_common(50))
    return report


def _pair(profile: Profile, job: Advert) -> tuple[list[str], list[str]]:
    """The texts of all claims, and those that the gate refuses with their reasons."""
    claims = list(claims_of(compose(Brief(profile, job.target, job.needs))))
    wrong = refused(judge(claims, profile, TODAY, job.target))
    return [claim.text for claim in claims], [
        f"{one.claim.place}: {one.claim.text} {[problem.reason for problem in one.problems]}"
        for one in wrong
    ]


def _asked(need: Need) -> frozenset[str]:
    return frozenset(mention.skill for mention in find_skills(need.text))


def _named(texts: Iterable[str]) -> frozenset[str]:
    """Every skill that the texts name, with what it includes."""
    return frozenset(
        skill for text in texts for mention in find_skills(text) for skill in broader(mention.skill)
    )
