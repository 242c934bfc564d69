// The field that searches the guide, and the list of its pages on a phone. The index is loaded when the field is used
// first; results are links, which the arrows go through. The key `/` goes to the field, Escape closes the results.

import { openIndex } from './find.js'

const field = document.getElementById('search')
const results = document.getElementById('results')
const status = document.getElementById('found')
const base = field.dataset.base
let index

/** The search, once the index is there. It is loaded again if that failed. */
function load() {
  index ??= import(new URL(field.dataset.index, document.baseURI).href).then(
    ({ pages, index }) => openIndex(pages, index),
    error => {
      index = undefined
      throw error
    },
  )
  return index
}

async function show() {
  const words = field.value.trim()
  if (words === '') return close()
  try {
    const find = await load()
    // The field may have changed meanwhile.
    if (field.value.trim() !== words) return
    const found = find(words)
    status.textContent = found.length === 0 ? `Nothing has ${words}.` : ''
    results.replaceChildren(...found.map(resultOf))
  } catch {
    status.textContent = 'The index cannot be loaded.'
    results.replaceChildren()
  }
  results.parentElement.hidden = false
}

function close() {
  results.parentElement.hidden = true
}

function resultOf({ address, title, heading, excerpt }) {
  const link = element('a')
  link.href = base + address
  // A heading on the same page is no new page.
  link.addEventListener('click', close)
  const name = element('strong')
  name.textContent = heading
  const text = element('span')
  text.append(
    ...excerpt.map(({ text, isMarked }) =>
      isMarked ? element('mark', text) : document.createTextNode(text),
    ),
  )
  link.append(name, ...(title === heading ? [] : [element('em', title)]), text)
  const item = element('li')
  item.append(link)
  return item
}

function element(name, text = '') {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** Moves the focus through the field and the results. */
function move(step) {
  const stops = [field, ...results.querySelectorAll('a')]
  stops[stops.indexOf(document.activeElement) + step]?.focus()
}

field.parentElement.hidden = false
field.addEventListener('focus', () => load().catch(() => undefined))
field.addEventListener('input', show)
field.addEventListener('focus', show)

field.parentElement.addEventListener('keydown', event => {
  if (event.key === 'ArrowDown') move(1)
  else if (event.key === 'ArrowUp') move(-1)
  else if (event.key === 'Escape') close()
  else if (event.key === 'Enter' && event.target === field) results.querySelector('a')?.click()
  else return
  event.preventDefault()
})

document.addEventListener('keydown', event => {
  const isTyping = event.target.closest('input, select, textarea')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  field.focus()
})

document.addEventListener('click', event => {
  if (!field.parentElement.contains(event.target)) close()
})

const contents = document.getElementById('contents')
const current = contents.querySelector('[aria-current]')
if (current) contents.scrollTop = current.offsetTop - contents.offsetTop - contents.clientHeight / 4

// A link to a section of the same page leaves the list open otherwise.
contents.addEventListener('click', event => {
  if (contents.matches(':popover-open') && event.target.closest('a')) contents.hidePopover()
})
