import type { Comment, CommentWriter } from '@agent/platforms';
import type { ThreadSource } from '@agent/platforms/sources';
import type { RunState } from '@agent/run-store';

/**
 * Readers of what a run writes. A run that has heard an internal note, or takes over what such a run left, rests on it from
 * then on, also after a restart: what it says on its thread is for members alone, and what it opens elsewhere has no
 * word of the thread.
 */
export interface RunAudience {
  /** Hears of comments before the model does. */
  readonly hear: (comments: readonly Pick<Comment, 'visibility'>[]) => Promise<void>;
  /** Inherits the audience of earlier runs, by their states, and tells whether one of them rests on a note. */
  readonly inherit: (states: readonly Pick<RunState, 'read'>[]) => Promise<boolean>;
  readonly isInternal: () => Promise<boolean>;
}

/** Stands in the state of a run that has heard an internal note. */
export const heardInternalName = 'heard_internal';

/** Remembers it in the state of the run. */
export function createRunAudience(state: RunState): RunAudience {
  let internal = false;
  const isInternal = async (): Promise<boolean> => {
    internal ||= await restsOnInternalNote(state);
    return internal;
  };
  const narrow = async (): Promise<void> => {
    if (internal) return;
    await state.write(heardInternalName, '');
    internal = true;
  };
  return {
    isInternal,
    hear: async (comments) => {
      if (comments.some(({ visibility }) => visibility === 'internal')) await narrow();
    },
    inherit: async (states) => {
      const rests = (await Promise.all(states.map(restsOnInternalNote))).includes(true);
      if (rests) await narrow();
      return rests;
    },
  };
}

/** Tells whether the run of this state heard an internal note, or inherited what such a run left. */
export async function restsOnInternalNote(state: Pick<RunState, 'read'>): Promise<boolean> {
  return (await state.read(heardInternalName)) !== null;
}

/** A source that lets the audience hear of what it lists before anybody else does. */
export function overheardBy(audience: RunAudience, source: ThreadSource): ThreadSource {
  return {
    close: source.close,
    listComments: async (options) => {
      const listing = await source.listComments(options);
      await audience.hear(listing.comments);
      return listing;
    },
  };
}

/** A writer whose comments have no more readers than what the run rests on. */
export function writingFor(audience: RunAudience, writer: CommentWriter): CommentWriter {
  return {
    ensureComment: async (comment) =>
      writer.ensureComment({
        ...comment,
        internal: comment.internal === true || (await audience.isInternal()),
      }),
  };
}
