import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comment, CommentWriter } from '@agent/platforms';
import type { ThreadSource } from '@agent/platforms/sources';
import { replaceFile } from '../replace-file.ts';

/**
 * Who may read what a run writes. A run that has heard an internal note, or takes over what such a run left, rests on it from
 * then on, also after a restart: what it says on its thread is for members alone, and what it opens elsewhere has no
 * word of the thread.
 */
export interface RunAudience {
  /** Hears of comments before the model does. */
  readonly hear: (comments: readonly Pick<Comment, 'visibility'>[]) => Promise<void>;
  /** Takes over the audience of earlier runs, by their directories, and tells whether one of them rests on a note. */
  readonly inherit: (directories: readonly string[]) => Promise<boolean>;
  readonly isInternal: () => Promise<boolean>;
}

/** Stands in the directory of a run that has heard an internal note. */
export const heardInternalFile = 'heard_internal';

/** Remembers it in the directory of the run. */
export function createRunAudience(directory: string): RunAudience {
  const path = join(directory, heardInternalFile);
  let internal = false;
  const isInternal = async (): Promise<boolean> => {
    internal ||= await exists(path);
    return internal;
  };
  const narrow = async (): Promise<void> => {
    if (internal) return;
    await replaceFile(path, '');
    internal = true;
  };
  return {
    isInternal,
    hear: async (comments) => {
      if (comments.some(({ visibility }) => visibility === 'internal')) await narrow();
    },
    inherit: async (directories) => {
      const rests = (await Promise.all(directories.map(restsOnInternalNote))).includes(true);
      if (rests) await narrow();
      return rests;
    },
  };
}

/** Whether the run that a directory is of heard an internal note, or took over what such a run left. */
export function restsOnInternalNote(directory: string): Promise<boolean> {
  return exists(join(directory, heardInternalFile));
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

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
