export {
  createRunsWatch,
  type RunsReader,
  type RunsWatch,
  type RunsWatchOptions,
} from './create-runs-watch.ts';
export type { BoardView } from './read-board.ts';
