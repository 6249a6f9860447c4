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
      readonly action: 'open' | 'update' | 'close' | 'reopen' | 'merge';
      /** Labels that were put on by this update. */
      readonly added?: readonly string[];
      /** Head that this update took the place of. */
      readonly before?: string;
    }
  | {
      readonly event: 'approval';
      readonly reference: SimulatedReference;
      /** `approved`: all who were required have; `approval`: one of them. */
      readonly action: 'approved' | 'unapproved' | 'approval' | 'unapproval';
      readonly by: string;
    }
  | {
      /** The newest pipeline of a commit, as it stands now. */
      readonly event: 'pipeline';
      readonly sha: string;
    }
  | {
      /** The newest job of a name, as it stands now. */
      readonly event: 'job';
      readonly sha: string;
      readonly name: string;
    }
);
