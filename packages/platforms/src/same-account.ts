import type { Account } from './model.ts';

/**
 * Tells whether two accounts are one: by numeric id where both have one, else by login, whatever its case and with or
 * without `[bot]` (REST writes it, GraphQL does not).
 */
export function isSameAccount(one: Account | null, other: Account | null): boolean {
  if (one === null || other === null) return false;
  if (one.id !== '' && other.id !== '') return one.id === other.id;
  return plainLogin(one.login) === plainLogin(other.login);
}

const plainLogin = (login: string) => login.toLowerCase().replace(/\[bot\]$/u, '');
