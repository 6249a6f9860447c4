import type { Locale } from '@agent/text';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { chooseLocale, textsOf, type Visit } from '../rooms/visit.ts';
import { isAllowedHost, isLoopback, isOwnForm, type PlaceOptions, readProxyLogin } from './access.ts';
import { type ProblemKind, respondProblem } from './respond.ts';
import type { FormSigner, Sessions } from './sessions.ts';

/** Values that every route of the page finds in its context. */
export interface PageEnv {
  readonly Variables: {
    visit: Visit;
    /** True for a request of this machine. */
    isLoopback: boolean;
    address: string;
    /** Value to which forms are bound; null for a stranger. */
    binding: string | null;
  };
}

/** Options of `createAdmission`. */
export interface AdmissionOptions {
  readonly place: PlaceOptions;
  readonly locale: Locale | 'auto';
  readonly base: string;
  readonly sessions: Sessions;
  readonly signer: FormSigner;
  readonly randomToken: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly addressOf: (context: Context) => string | null;
}

const languageCookie = 'agent_page_language';

/** Decides who a request is of and whether it is taken at all: its host, its proxy, its login, the origin of its form. */
export function createAdmission(options: AdmissionOptions): MiddlewareHandler<PageEnv> {
  const { place, base, sessions, signer, randomToken, addressOf } = options;
  return async (context, next) => {
    const address = addressOf(context);
    const isHere = isLoopback(context, address) && place.proxy === null;
    context.set('isLoopback', isHere);
    context.set('address', address ?? 'unknown');
    const locale = chooseLocale({
      chosen: context.req.query('lang') ?? getCookie(context, languageCookie),
      setting: options.locale,
      acceptLanguage: context.req.header('accept-language'),
    });
    const stranger: Visit = {
      ...{ locale, base, texts: textsOf(locale), path: withoutLanguage(context.req.url) },
      ...{ actor: null, hasSession: false, csrf: '', createNonce: randomToken },
      now: options.now(),
    };
    // Whatever goes wrong from here on is said in a page.
    context.set('visit', stranger);
    context.set('binding', null);
    const named = readProxyLogin(context, { proxy: place.proxy, address });
    const secret = getCookie(context, sessionCookie(place));
    const proxied = named === 'refused' ? null : named;
    const session = secret === undefined || proxied !== null ? null : await sessions.find(secret);
    const binding =
      proxied !== null ? `proxy:${proxied.actor}` : session !== null ? `session:${secret}` : null;
    const visit: Visit = {
      ...stranger,
      actor: proxied?.actor ?? session?.actor ?? null,
      hasSession: session !== null,
      csrf: binding === null ? '' : signer.sign(binding),
    };
    context.set('binding', binding);
    context.set('visit', visit);
    const refuse = (kind: ProblemKind): Response => respondProblem(context, kind, { visit });
    if (!isAllowedHost(context, place)) return refuse('misdirected');
    if (named === 'refused') return refuse('proxyRefused');
    if (context.req.method === 'POST' && !isOwnForm(context, place)) return refuse('forbidden');
    if (context.req.query('lang') === locale) {
      const secure = isSecure(place);
      setCookie(context, languageCookie, locale, { path: '/', httpOnly: true, sameSite: 'Strict', secure });
    }
    return next();
  };
}

/** Name of the cookie that holds a login: behind HTTPS, one that no other host and no plain page can set. */
export function sessionCookie(place: PlaceOptions): string {
  return isSecure(place) ? '__Host-agent_page' : 'agent_page';
}

/** Tells whether people reach the page by HTTPS. */
export function isSecure({ publicOrigin }: PlaceOptions): boolean {
  return publicOrigin?.startsWith('https:') === true;
}

function withoutLanguage(address: string): string {
  const { pathname: written, searchParams } = new URL(address);
  // An address that begins with two slashes is one of another host.
  const pathname = written.replace(/^\/+/, '/');
  searchParams.delete('lang');
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams.toString()}`;
}
