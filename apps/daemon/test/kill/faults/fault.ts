import { isWrite, nameRoute, type ProxiedRequest, type Route } from './route.ts';

/** Which requests are meant: those that all of it fits. Empty: all of them. */
export interface Meant {
  /** Default: every route. */
  readonly routes?: readonly Route[];
  /** Default: both. */
  readonly only?: 'reads' | 'writes';
  /** Of `METHOD /path`, decoded. */
  readonly path?: RegExp;
  readonly body?: RegExp;
}

/** What goes wrong with a request. `before` and `after` are seen from the server's effect. */
export type Effect =
  | { readonly kind: 'reset'; readonly side: 'before' | 'after' }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly side: 'before' | 'after';
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The first half of the answer, and then the connection ends. */
  | { readonly kind: 'truncated' }
  /** The answer that the same address had before the last one; where it had none, a list without what is young. */
  | { readonly kind: 'stale'; readonly youngMs: number }
  /** 304 to whoever asks for changes, changed or not. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** The server never hears of it; the client gets 200 and this body. */
  | { readonly kind: 'swallowed'; readonly body: string }
  /** A proxy that lies. */
  | { readonly kind: 'rewritten'; readonly rewrite: (body: string, request: ProxiedRequest) => string }
  | { readonly kind: 'redirected'; readonly to: (path: string) => string };

export interface Fault {
  readonly meant: Meant;
  readonly effect: Effect;
  /** How many requests it befalls. Default: all, until it is lifted. */
  readonly times?: number;
  /** Milliseconds from the first request that it befalls; then it is over. Default: until it is lifted. */
  readonly forMs?: number;
}

export function isMeant(request: ProxiedRequest, { routes, only, path, body }: Meant): boolean {
  if (routes !== undefined && !routes.includes(nameRoute(request))) return false;
  if (only !== undefined && isWrite(request) !== (only === 'writes')) return false;
  if (body !== undefined && !body.test(request.body)) return false;
  return path?.test(`${request.method} ${request.path}`) ?? true;
}

/** One line for people. */
export function describeFault({ meant, effect, times, forMs }: Fault): string {
  const { kind } = effect;
  const what = kind === 'status' ? `${effect.status}` : kind === 'slow' ? `${effect.ms} ms of waiting` : kind;
  const side = 'side' in effect ? ` ${effect.side} the effect` : '';
  const where = [meant.only, meant.routes?.join(' or '), meant.path?.source, meant.body?.source]
    .filter(Boolean)
    .join(' ');
  const howLong = forMs === undefined ? '' : `, for ${forMs} ms`;
  return `${what}${side} on ${where || 'everything'}${times === undefined ? '' : `, ${times} times`}${howLong}`;
}
