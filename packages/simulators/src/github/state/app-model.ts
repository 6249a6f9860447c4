import type { KeyObject } from 'node:crypto';
import type { User } from './account.ts';

/** Permissions as apps have them, by their names in the API. */
export type AppPermissions = Readonly<Record<string, 'read' | 'write' | 'admin'>>;

/** What an app is made of, whoever writes it down. */
export interface AppDraft {
  readonly owner: User;
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly permissions: AppPermissions;
  readonly events: readonly string[];
}

/** A GitHub App. */
export interface App extends AppDraft {
  readonly id: number;
  readonly slug: string;
  readonly clientId: string;
  /** `slug[bot]`: whom its installations act as. */
  readonly bot: User;
  readonly createdAt: string;
  /** Checks what it signs; null for those of GitHub's own. */
  readonly publicKey: KeyObject | null;
}

/** A manifest that a person has agreed to, until its code is exchanged. */
export interface PendingManifest {
  readonly draft: AppDraft;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** An app on an account, for all of its repositories or for some. */
export interface Installation {
  readonly id: number;
  readonly app: App;
  readonly account: User;
  readonly createdAt: string;
  permissions: AppPermissions;
  /** Null for all. */
  repositoryIds: Set<number> | null;
  suspendedAt: string | null;
  suspendedBy: User | null;
  updatedAt: string;
}
