import { createHash } from 'node:crypto';
import type { SimulatedAccessTokenSeed, SimulatedGitLabTokenSeed } from '../seeds.ts';
import { accessLevels } from './access.ts';
import { takeId, timestamp } from './create-state.ts';
import type { AccessLevel, State, Token, TokenHome, User } from './model.ts';
import { seededProject, setAccess } from './projects.ts';
import { badRequest } from './refusal.ts';
import { addUser, seededUser } from './users.ts';

const dayMs = 86_400_000;
const longestDays = 365;

/** Issues a token to an account. */
export function addToken(state: State, seed: SimulatedGitLabTokenSeed): Token {
  const { username, scopes = ['api'], expiresAt = null } = seed;
  const user = seededUser(state, username);
  const issued = { name: seed.name ?? 'token', user, scopes: new Set(scopes), home: personal, expiresAt };
  return issue(state, { ...issued, secret: seed.token });
}

/**
 * Makes the token of a project or a group: a bot of its own becomes a member there.
 * @see https://docs.gitlab.com/user/project/settings/project_access_tokens/#bot-users-for-projects
 */
export function addAccessToken(state: State, seed: SimulatedAccessTokenSeed): Token {
  const { name, scopes = ['api'], level = 'maintainer', expiresAt = dayAfter(state, 30) } = seed;
  const home = homeOf(state, seed, accessLevels[level]);
  const number = home.kind === 'project' ? home.project.id : takeId(state);
  const username = `${home.kind}_${number}_bot_${digest(`bot ${takeId(state)}`).slice(0, 32)}`;
  const user = addUser(state, { username, name, bot: true });
  const path = home.kind === 'project' ? home.project.path : home.path;
  setAccess(state, path, { username, level });
  return issue(state, { name, user, scopes: new Set(scopes), home, expiresAt });
}

/** The reason for which a token is refused; null for a good one. It ends with the first moment of its day, in UTC. */
export function invalidityOf(token: Token, now: number): 'revoked' | 'expired' | null {
  if (token.revoked) return 'revoked';
  return token.expiresAt !== null && Date.parse(token.expiresAt) <= now ? 'expired' : null;
}

/**
 * Revokes a token and makes the next one of its family, by default for a week.
 * @throws {Refusal} 400 for a day that is past or too far away
 * @see https://docs.gitlab.com/api/project_access_tokens/#rotate-a-project-access-token
 */
export function rotateToken(state: State, token: Token, expiresAt = dayAfter(state, 7)): Token {
  const end = Date.parse(expiresAt);
  if (!(end > state.now())) throw badRequest("Expiration date can't be in the past");
  if (end > state.now() + longestDays * dayMs)
    throw badRequest(`Expiration date must be before ${dayAfter(state, longestDays)}`);
  token.revoked = true;
  const { name, user, scopes, home, family } = token;
  return issue(state, { name, user, scopes, home, family, expiresAt });
}

/** Revokes all that came of a token: somebody used one that was rotated, so it may be stolen. */
export function revokeFamily(state: State, { family }: Token): void {
  for (const token of state.tokens.values()) if (token.family === family) token.revoked = true;
}

/** Takes a token back. */
export function revokeToken(state: State, secret: string, reason: 'unknown' | 'revoked' | 'expired'): void {
  const token = seededToken(state, secret);
  if (reason === 'unknown') state.tokens.delete(secret);
  else if (reason === 'revoked') token.revoked = true;
  else token.expiresAt = dayAfter(state, 0);
}

/** The token, for seeds. @throws when it was not issued */
export function seededToken(state: State, secret: string): Token {
  const token = state.tokens.get(secret);
  if (!token) throw new Error(`The simulator has no such token: addToken(…) first.`);
  return token;
}

type BotHome = Exclude<TokenHome, { readonly kind: 'personal' }>;

const personal: TokenHome = { kind: 'personal' };

function homeOf(state: State, seed: SimulatedAccessTokenSeed, level: AccessLevel): BotHome {
  if ('project' in seed) return { kind: 'project', project: seededProject(state, seed.project), level };
  return { kind: 'group', path: seed.group.toLowerCase(), level };
}

function issue(
  state: State,
  token: Pick<Token, 'name' | 'scopes' | 'home' | 'expiresAt'> & {
    readonly user: User;
    readonly secret?: string;
    readonly family?: number;
  },
): Token {
  const id = takeId(state);
  const secret = token.secret ?? `glpat-${digest(`token ${id}`).slice(0, 20)}`;
  const issued: Token = {
    family: id,
    ...token,
    id,
    secret,
    createdAt: timestamp(state),
    revoked: false,
  };
  state.tokens.set(secret, issued);
  return issued;
}

function dayAfter(state: State, days: number): string {
  return new Date(state.now() + days * dayMs).toISOString().slice(0, 10);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
