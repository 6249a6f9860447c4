import type { SimulatedDelivery } from '@agent/simulators/github';
import type { RecordedRequest } from './describe-request.ts';
import type { ShownThread } from './format-thread.ts';

export type ForgeName = 'github' | 'gitlab';

/** What the agent proves itself with to the forge, and the forge's webhook to the agent. */
export interface ForgeSecrets {
  readonly token: string;
  readonly secret: string;
}

/** A thread as it stands now. */
export interface DemoThread extends ShownThread {
  readonly number: number;
  /** Present where the thread is itself a pull or merge request. */
  readonly changeRequest: { readonly head: string; readonly base: string; readonly draft: boolean } | null;
}

/** A simulated forge with the shop's repository, the people, and the issue that waits for the agent. */
export interface DemoForge {
  readonly name: ForgeName;
  /** `GitHub` */
  readonly title: string;
  /** What its people call a request to take over a branch. */
  readonly changeRequestWord: 'pull request' | 'merge request';
  /** Base address. */
  readonly url: string;
  /** Its section in the daemon's configuration. */
  readonly configuration: object;
  /** The daemon's token and the secret of its webhook, by the variables that the configuration names. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every request so far, oldest first. */
  readonly requests: () => readonly RecordedRequest[];
  /** The issue that waits. */
  readonly issue: () => DemoThread;
  /** Writes a comment on it, as this account. @returns what the forge tells its webhook of it */
  readonly comment: (author: string, body: string) => SimulatedDelivery;
  /** Pull or merge requests, oldest first. */
  readonly changeRequests: () => readonly DemoThread[];
  /** The repository on disk. */
  readonly gitDirectory: string;
  readonly close: () => Promise<void>;
}
