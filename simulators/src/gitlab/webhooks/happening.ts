import type { SimulatedReference } from '../seeds.ts';

/** Something that a webhook of GitLab's tells of. `project` is the path, or the id as text. */
export type SimulatedGitLabHappening = { readonly project: string } & (
  | {
      readonly event: 'note';
      readonly noteId: number;
      readonly action: 'create' | 'update';
    }
  | {
      readonly event: 'thread';
      readonly reference: SimulatedReference;
      readonly action: 'open' | 'update' | 'close' | 'reopen';
      /** Labels that were put on by this update. */
      readonly added?: readonly string[];
    }
);
