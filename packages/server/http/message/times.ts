// Times in answers: ISO 8601, or seconds since the epoch.

import type { Timestamp } from '@hyperslab/model/names'

const SECONDS_PER_DAY = 86_400

/** `2015-03-01T08:00:00Z`: ISO 8601, whole seconds, 20 characters (specification 2; classic 3.6). */
export function formatIsoSeconds(time: Timestamp): string {
  const seconds = Math.floor(time / 1e6)
  const ofDay = ((seconds % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY
  const date = isoDate((seconds - ofDay) / SECONDS_PER_DAY)
  return `${date}T${pad(Math.floor(ofDay / 3600))}:${pad(Math.floor(ofDay / 60) % 60)}:${pad(ofDay % 60)}Z`
}

/** The date of the last formatted day: the times of most answers are of few days. */
let lastDay = { day: 0, date: '1970-01-01' }

function isoDate(day: number): string {
  if (lastDay.day !== day) {
    lastDay = { day, date: new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10) }
  }
  return lastDay.date
}

function pad(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}

/** Seconds since the epoch with six decimals, as a number (hsds-objects 1.8). */
export function toEpochSeconds(time: Timestamp): number {
  return time / 1e6
}
