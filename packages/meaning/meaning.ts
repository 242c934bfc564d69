// Door: what numbers mean.

export { ABSENT_ATTRIBUTES, absentNumbers, signChange } from './absent-numbers.ts'
export { type Attribute, type Attributes, type NumberForm, numbersOf, textOf, textsOf } from './attributes.ts'
export { areComplexParts } from './complex-numbers.ts'
export { chosenScale, isCoordinate, isOnlyName, isScale, NOT_A_VARIABLE } from './coordinates.ts'
export { type DefaultPlot, findDefaultPlot, type PlotLink, type PlotObjects } from './default-plot.ts'
export {
  type FirstLook,
  firstLookOf,
  LOOK_ATTRIBUTES,
  type SliceUse,
  type ValueScale,
} from './first-look.ts'
export { formatComputed, formatNumber } from './numbers.ts'
export {
  type DateUnit,
  dateText,
  NOT_A_TIME,
  type NumpyDates,
  numpyDates,
  wholeSeconds,
} from './numpy-dates.ts'
export { readRadar } from './radar.ts'
export {
  type AxisRole,
  brightestOf,
  growsDown,
  type ImageDimensions,
  imageDimensions,
  roleOf,
} from './roles.ts'
export {
  formatTime,
  momentOf,
  parseMoment,
  parseTimeUnits,
  type TimeConversion,
  type TimeUnits,
  timeConversion,
} from './times.ts'
export { labelOf, MISSING, meaningOf, type ValueMeaning } from './values.ts'
