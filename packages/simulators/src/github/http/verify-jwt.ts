import { verify } from 'node:crypto';
import { z } from 'zod';
import type { App } from '../state/app-model.ts';
import type { State } from '../state/model.ts';
import { notFound, Refusal } from '../state/refusal.ts';

const longestSeconds = 600;
const claims = z.object({ iat: z.unknown(), exp: z.unknown(), iss: z.union([z.string(), z.number()]) });

/** Checks whether a secret looks like what an app signs, rather than like a token. */
export function isJwt(secret: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(secret);
}

/**
 * The app that signed this.
 * @throws {Refusal} 401 for a wrong signature, a time to come or one that is over, or a life of more than 10 minutes;
 * 404 for an app that there is not
 * @see https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
export function verifyJwt(state: State, jwt: string): App {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const { alg } = z.object({ alg: z.string() }).safeParse(decode(header)).data ?? {};
  const { data } = claims.safeParse(decode(payload));
  if (alg !== 'RS256' || !data) throw undecodable();
  const app = [...state.apps.values()].find(
    ({ id, clientId }) => String(data.iss) === String(id) || data.iss === clientId,
  );
  if (!app?.publicKey) throw notFound('Integration not found');
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${payload}`),
    app.publicKey,
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw undecodable();
  checkTimes(data, Math.floor(state.now() / 1000));
  return app;
}

function checkTimes({ iat, exp }: z.infer<typeof claims>, now: number): void {
  if (typeof exp !== 'number' || exp <= now)
    throw unauthorized(
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (exp > now + longestSeconds)
    throw unauthorized("'Expiration time' claim ('exp') is too far in the future");
  if (typeof iat !== 'number' || !Number.isInteger(iat) || iat > now)
    throw unauthorized(
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

/** 401 for what is no app's signature. */
export function undecodable(): Refusal {
  return unauthorized('A JSON web token could not be decoded');
}

function unauthorized(message: string): Refusal {
  return new Refusal({ status: 401, message });
}
