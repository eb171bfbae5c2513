"""Measures `diff` of sets: how often it alarms when nothing changed, and how soon it finds what did (`make drift`).

`nights` renders nights of recordings in this process, `job` compares them as the nightly job does, `quiet` counts its
alarms when nothing changed, and `power` what it finds of each behaviour of `serve --list`.
"""
