import type { SimulatedRequest } from '../shared/http/exchange.ts';
import type { SimulatedDelivery } from '../shared/webhook-delivery.ts';

/** Forge that a demonstration plays on. */
export type ForgeName = 'github' | 'gitlab';

/** Proofs of identity: of the agent to the forge, and of the forge's webhook to the agent. */
export interface ForgeSecrets {
  readonly token: string;
  readonly secret: string;
}

/** A comment as it stands now. */
export interface DemoComment {
  readonly author: string | null;
  readonly body: string;
  /** True once the agent's account has put 👀 on it. */
  readonly isSeen: boolean;
}

/** A thread as it stands now. */
export interface DemoThread {
  readonly number: number;
  /** `#1`, `!1` */
  readonly reference: string;
  readonly title: string;
  readonly body: string | null;
  readonly labels: readonly string[];
  /** Oldest first. */
  readonly comments: readonly DemoComment[];
  /** Present where the thread is itself a pull or merge request. */
  readonly changeRequest: { readonly head: string; readonly base: string; readonly draft: boolean } | null;
}

/** A simulated forge with the shop's repository, the people, and the issue that waits for the agent. */
export interface DemoForge {
  readonly name: ForgeName;
  /** `GitHub` */
  readonly title: string;
  /** Word of its people for a request to take over a branch. */
  readonly changeRequestWord: 'pull request' | 'merge request';
  /** Base address. */
  readonly url: string;
  /** Its section in the daemon's configuration. */
  readonly configuration: object;
  /** The daemon's token and the secret of its webhook, by the variables that the configuration names. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every request so far, oldest first. */
  readonly requests: () => readonly Pick<SimulatedRequest, 'method' | 'path' | 'status'>[];
  /** The issue that waits. */
  readonly issue: () => DemoThread;
  /** Every body so far of the comment in which the agent shows its progress, oldest first. */
  readonly progress: () => readonly string[];
  /** Writes a comment on it, as this account. @returns what the forge tells its webhook of it */
  readonly comment: (author: string, body: string) => SimulatedDelivery;
  /** Pull or merge requests, oldest first. */
  readonly changeRequests: () => readonly DemoThread[];
  /** The repository on disk. */
  readonly gitDirectory: string;
  readonly close: () => Promise<void>;
}
