export {
  AttachedFiles,
  type AttachedFilesOptions,
  type Attachment,
  type ReadFiles,
} from './attached-files.ts';
export {
  compareIds,
  findOpen,
  type OpenMessage,
  type SeenMessage,
  type StandingPart,
} from './find-open.ts';
export {
  isNotice,
  isUnfinished,
  markAway,
  markBeginning,
  markNotice,
  markUnfinished,
  mayBeOwn,
  withoutNoticeMark,
  withoutUnfinishedMark,
} from './hidden-marks.ts';
export { type AnsweringViewOptions, isNewCommand, sinceLastNew, toAnsweringView } from './history-views.ts';
export {
  createLiveHistory,
  type HistoryEvent,
  type LiveHistory,
  type LiveHistoryOptions,
} from './live-history.ts';
export {
  type NameLookup,
  type ReadableTextOptions,
  toOneLine,
  toPlainLine,
  toReadableText,
} from './readable-text.ts';
export { type SplitAnswerOptions, splitAnswer } from './split-answer.ts';
export { ThreadNames } from './thread-names.ts';
