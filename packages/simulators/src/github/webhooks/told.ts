import type { User } from '../state/account.ts';

/** What a payload tells beside its repository, and on whose behalf. */
export type Told = { readonly sender: User; readonly [key: string]: unknown };
