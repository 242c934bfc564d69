// The icons of the page: lines of one width in the colour of the text, on a grid of 16. The text beside an icon, or the
// label of its button, says the same; an icon that stands for a word has it as its label.

const LINES = {
  access:
    'M5.5 7a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 2.4a2.5 2.5 0 0 1 0 4.4M12.5 9.9c1.6.6 2.5 1.9 2.5 3.6',
  axis: 'M2.5 2v11.5H14M5.5 13.5V12M8.5 13.5V12M11.5 13.5V12M4.5 9.5L8 6l2 1.5 3-4',
  box: 'M2.5 4.5v-2h2M7 2.5h2M11.5 2.5h2v2M13.5 7v2M13.5 11.5v2h-2M9 13.5H7M4.5 13.5h-2v-2M2.5 9V7',
  check: 'M3 8.5l3.2 3.2L13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  code: 'M5 4.5L1.5 8 5 11.5M11 4.5L14.5 8 11 11.5M9.3 3l-2.6 10',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  dataset: 'M2.5 2.5h11v11h-11zM2.5 8h11M8 2.5v11',
  datatype: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 8h.01',
  delete: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.7 7v4M9.3 7v4',
  domain: 'M8 1.5l5.8 3.2v6.6L8 14.5l-5.8-3.2V4.7zM2.2 4.7L8 8l5.8-3.3M8 8v6.5',
  down: 'M4.5 6.5L8 10l3.5-3.5',
  download: 'M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  folder: 'M1.5 12.5v-9h4.3l1.5 2h7.2v7z',
  fullscreen: 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4',
  help: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM6 6.2a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.3M8 11.3v.4',
  interval: 'M3 2.5v11M13 2.5v11M3 8h10M5.5 5.5L3 8l2.5 2.5M10.5 5.5L13 8l-2.5 2.5',
  join: 'M1.5 4h4L9 8h5M1.5 12h4L9 8M11.5 5.5L14 8l-2.5 2.5',
  line: 'M2 11l3-6 3.2 5.5L11 4l3 5',
  link: 'M6.5 9.5l3-3M7.5 4.5l1.3-1.3a2.9 2.9 0 0 1 4 4L11.5 8.5M8.5 11.5l-1.3 1.3a2.9 2.9 0 0 1-4-4L4.5 7.5',
  lock: 'M3.5 7.5h9v6h-9zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2',
  map: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM1.5 8h13M8 1.5c-4 4-4 9 0 13M8 1.5c4 4 4 9 0 13',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  move: 'M1.5 12.5v-9h4.3l1.5 2h7.2v7zM6 9h5M9 7l2 2-2 2',
  pause: 'M5.5 3v10M10.5 3v10',
  picture: 'M2 2.5h12v11H2zM2 11l3.5-3.5L9 11l2-2 3 3M10.5 5.7h.01',
  play: 'M5 3l7.5 5L5 13z',
  plus: 'M8 3v10M3 8h10',
  profile: 'M2 12.5L12.5 2M2 12.5h.01M12.5 2h.01M5 13.5l2-2.5 2 1.5 2-4 3 2.5',
  rename: 'M2.5 13.5l.7-3 7.3-7.3 2.3 2.3-7.3 7.3z',
  scalar: 'M6.2 5L8 3.5V12.5M5.5 12.5h5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.7 3.7',
  star: 'M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z',
  swap: 'M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3',
  table: 'M2 2.5h12v11H2zM2 6h12M2 9.7h12M6 6v7.5',
  text: 'M2.5 4h11M2.5 8h11M2.5 12h6.5',
  unreadable: 'M8 2.2l6.3 11.3H1.7zM8 6.5v3.2M8 11.6v.1',
  upload: 'M8 10.5v-8M4.5 5.5L8 2l3.5 3.5M2.5 13.5h11',
  user: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.5 14c0-2.8 2.4-4.3 5.5-4.3s5.5 1.5 5.5 4.3',
} as const

export type IconName = keyof typeof LINES

interface IconProps {
  readonly name: IconName
  /** The word that the icon stands for. Without one it is decoration. */
  readonly label?: string
}

export function Icon({ name, label }: IconProps) {
  return (
    <svg
      className={`icon icon-${name}`}
      viewBox="0 0 16 16"
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined}
      focusable="false"
    >
      <path d={LINES[name]} />
    </svg>
  )
}
