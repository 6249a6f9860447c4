import type { OwnWriteCosts } from './measure-own-writes.ts';
import type { QuietCosts } from './measure-quiet.ts';
import type { Recall } from './measure-recall.ts';
import type { TaskCosts } from './measure-task.ts';

/** One way on threads of one length. */
export interface WayFigures {
  readonly task: TaskCosts;
  readonly quiet: QuietCosts;
}

/** Both ways on threads of one length. */
export interface LengthFigures {
  readonly comments: number;
  readonly ours: WayFigures;
  readonly seed: WayFigures;
}

export interface RecallFigures {
  readonly comments: number;
  readonly ways: readonly Recall[];
}

export interface CommentsFigures {
  readonly lengths: readonly LengthFigures[];
  readonly recalls: readonly RecallFigures[];
  readonly ownWrites: readonly OwnWriteCosts[];
}
