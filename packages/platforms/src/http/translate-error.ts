import { isCertificateCode, sortNetworkCode } from '@agent/text';
import * as z from 'zod';
import { PlatformError, type PlatformErrorCode, type PlatformErrorReason } from '../platform-error.ts';

/** Refusal of an HTTP server. */
export interface HttpFailure {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

/** Name of a service in messages, and what only it knows of its refusals. */
export interface Service {
  /** `GitHub` */
  readonly name: string;
  /** Completes "the token lacks …, or": what else a 403 may mean here. */
  readonly closed: string;
  /** Found in a 403 that is about the account itself, wherever it asks: it is suspended or blocked. */
  readonly suspended: RegExp;
  /** Tells how long to stay away, if the failure is a rate limit; else null. */
  readonly findRateLimit: (failure: HttpFailure, now: number) => { readonly retryAfterMs: number } | null;
}

/** Action that was under way when something failed: the words of the message. */
export interface Operation {
  /** Completes "could not …": `list the comments of octo/hello#4`. */
  readonly doing: string;
  /** `owner/repo`, or null where no repository is concerned. */
  readonly repository: string | null;
  /** Right that a token needs for it: `issues: write`. */
  readonly permission: string;
}

/** Everything that a message may tell, and what takes out the tokens that it must not. */
interface TranslationContext extends Operation {
  readonly service: Service;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly redact: (text: string) => string;
  readonly now: number;
}

const codes: Readonly<Record<number, PlatformErrorCode>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  415: 'invalid',
  422: 'invalid',
  429: 'rate-limited',
  451: 'forbidden',
};

/** Turns whatever a client threw into the one error of this package, without the token. */
export function translateError(error: unknown, context: TranslationContext): PlatformError {
  // What a credential says of itself goes through the client that asked for its token.
  const own = causeChain(error).find(PlatformError.isInstance);
  if (own !== undefined) return own;
  const { redact } = context;
  const failure = toHttpFailure(error, redact);
  const cause = toCause(error, { status: failure?.status ?? null, redact });
  if (failure === null) {
    const message = `Could not ${context.doing}: ${describeBrokenRequest(error, context)}`;
    const reason = causeChain(error).some(isMalformed) ? 'other-service' : null;
    return new PlatformError(redact(message), { code: 'unavailable', reason, cause });
  }
  const limit = context.service.findRateLimit(failure, context.now);
  const code = limit === null ? toCode(failure, context.service) : 'rate-limited';
  const message = `Could not ${context.doing}: ${adviceFor(code, failure, context)}`;
  const retryAfterMs = limit?.retryAfterMs ?? null;
  const reason: PlatformErrorReason | null =
    code === 'unauthorized' && failure.status === 403 ? 'suspended' : null;
  return new PlatformError(redact(message), { code, reason, cause, retryAfterMs });
}

function toCode({ status, message }: HttpFailure, { suspended }: Service): PlatformErrorCode {
  if (status === 403 && suspended.test(message)) return 'unauthorized';
  return codes[status] ?? 'unavailable';
}

function adviceFor(code: PlatformErrorCode, failure: HttpFailure, context: TranslationContext): string {
  const { repository, permission, service } = context;
  const where = repository === null ? '' : ` on ${repository}`;
  const said = `${service.name} said ${failure.status}: ${shortened(failure.message)}`;
  switch (code) {
    case 'unauthorized':
      if (failure.status === 403) return `the account is suspended: end its suspension. ${said}`;
      return `${service.name} refused the token. Use a valid token that has not expired. ${said}`;
    case 'forbidden':
      return `the token lacks ${permission}${where}, or ${service.closed}. ${said}`;
    case 'not-found':
      return `it does not exist, or the token may not see it (${permission}${where}). ${said}`;
    case 'rate-limited':
      return `a rate limit is reached; retry after the time in retryAfterMs. ${said}`;
    case 'conflict':
      return `it conflicts with the current state. ${said}`;
    case 'invalid':
      return `${service.name} does not accept it. ${said}`;
    case 'unavailable':
      return `${service.name} could not answer; try again later. ${said}`;
  }
}

function describeBrokenRequest(error: unknown, context: TranslationContext): string {
  const causes = causeChain(error);
  if (causes.some((one) => one.name === 'TimeoutError')) {
    return `${context.baseUrl} did not answer completely within ${context.timeoutMs} ms. Try again later, or raise timeoutMs.`;
  }
  if (causes.some(isMalformed)) {
    return `${context.baseUrl} sent an answer that is not JSON. Check that this is a ${context.service.name} API address.`;
  }
  const code = causes.map((one) => (one as { code?: unknown }).code).find((one) => typeof one === 'string');
  if (sortNetworkCode(code) === 'no-tls') {
    return `the server at ${context.baseUrl} does not speak TLS (${code}). If it is a plain HTTP server, its address begins with http://.`;
  }
  if (isCertificateCode(code)) {
    return `the certificate of ${context.baseUrl} is not trusted (${code}). Check the address. If the server has its own certificate authority, set NODE_EXTRA_CA_CERTS to the file of its certificate before Node starts.`;
  }
  const why = code ?? causes.at(-1)?.message ?? 'unknown error';
  return `${context.baseUrl} could not be reached (${why}). Check the address and the network, or try again later.`;
}

/** Tokens are taken out before a text is shortened: half of one is still too much. */
function toHttpFailure(error: unknown, redact: TranslationContext['redact']): HttpFailure | null {
  const { status, response, message } = error as { status?: unknown; response?: unknown; message?: unknown };
  if (typeof status !== 'number' || typeof response !== 'object' || response === null) return null;
  const headers = (response as { headers?: HttpFailure['headers'] }).headers ?? {};
  return { status, headers, message: redact(String(message)) };
}

function isMalformed({ name }: Error): boolean {
  return name === 'MalformedAnswerError';
}

function causeChain(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < 8; next = next.cause) chain.push(next);
  return chain;
}

/** A client's error contains the whole request; its copy contains only what a log may show, and the code of a failed connection. */
function toCause(
  error: unknown,
  { status, redact }: { readonly status: number | null } & Pick<TranslationContext, 'redact'>,
): Error {
  const telling = causeChain(error).find((one) => 'code' in one || one.name === 'TimeoutError');
  const { name, code } = (telling ?? error) as { name?: unknown; code?: unknown };
  const text = causeChain(error)
    .map((one) => one.message)
    .join(' ← ');
  const cause = new Error(shortened(redact(text === '' ? String(error) : text)));
  const known = typeof code === 'string' ? { code } : {};
  return Object.assign(cause, {
    ...known,
    name: typeof name === 'string' ? name : 'Error',
    status,
  });
}

/** An HTML page of a proxy says nothing beyond its title. */
function shortened(text: string): string {
  const title = /<title>([^<]*)<\/title>/iu.exec(text)?.[1];
  const plain = (title ?? text).replaceAll(/\s+/gu, ' ').trim();
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain;
}

/**
 * Lets an answer pass its schema.
 *
 * @throws PlatformError `unavailable` that names the field, because a server that answers otherwise is another one
 */
export function parseAnswer<Schema extends z.ZodType>(
  data: unknown,
  { schema, doing, service }: { readonly schema: Schema; readonly doing: string; readonly service: string },
): z.output<Schema> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const where = z.prettifyError(parsed.error).split('\n').slice(0, 4).join(' ');
  throw new PlatformError(
    `Could not ${doing}: the response does not have the form that ${service} uses (${where}). Check that baseUrl is a ${service} API address.`,
    { code: 'unavailable', reason: 'other-service' },
  );
}

/** The bytes as text; null when they are not UTF-8 or hold a NUL, as no text file does. */
export function decodeText(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
