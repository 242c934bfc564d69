// Door: what other packages use of meaning/meaning.

export {
  ABSENT_ATTRIBUTES,
  type AbsentNumbers,
  type AttributeNumbers,
  absenceTest,
  absentNumbers,
  scalingOf,
  signChange,
} from './absent-numbers.ts'
export { areComplexParts } from './complex-numbers.ts'
export { findDefaultPlot, type PlotLink, type PlotObjects } from './default-plot.ts'
export {
  type DateUnit,
  dateText,
  NOT_A_TIME,
  type NumpyDates,
  numpyDates,
  wholeSeconds,
} from './numpy-dates.ts'
