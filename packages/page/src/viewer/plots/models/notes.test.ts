import { expect, test } from 'vitest'
import { lineNote } from './notes.ts'

const LINE = { hasExtremes: true, isUnwrapped: false, isOfSight: false, isDrawn: true }

function pointsOf(block: number, progress?: { readonly done: number; readonly all: number }) {
  return { extent: { start: 0, stop: 4096, block }, progress }
}

test('the note of a line says which elements it goes through', () => {
  expect(lineNote(pointsOf(1), { ...LINE, isUnwrapped: true })).toBe(
    'The line goes through all elements in sight.',
  )
  expect(lineNote(pointsOf(2048), { ...LINE, isOfSight: true })).toBe(
    'The line goes through the least and the greatest of each 2,048 elements. Its axis spans what is in sight.',
  )
  expect(lineNote(pointsOf(2, { done: 1, all: 3 }), { ...LINE, hasExtremes: false })).toBe(
    'The line goes through the first of each 2 elements, in 1 of 3 parts that are read so far.',
  )
})

test('a phase without jumps says where turns may be lost', () => {
  expect(lineNote(pointsOf(4), { ...LINE, hasExtremes: false, isUnwrapped: true })).toBe(
    'The line goes through the first of each 4 elements. Turns of the phase between these points are not seen: zoom in.',
  )
})

test('a line of which nothing is drawn says why', () => {
  expect(lineNote(pointsOf(1), { ...LINE, isDrawn: false })).toBe('No element in sight is a finite number.')
  expect(lineNote(pointsOf(2, { done: 1, all: 3 }), { ...LINE, isDrawn: false })).toContain('1 of 3 parts')
})
