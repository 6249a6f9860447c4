import { randomBytes } from 'node:crypto';
import type {
  AuditLog,
  HealthReader,
  PageChanges,
  RunActions,
  RunsReader,
  TokenHolders,
} from '@agent/orchestrator/watch';
import type { Locale, Logger } from '@agent/text';
import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectList,
  expectNullable,
  expectNumber,
  expectOneOf,
  expectPort,
} from '@agent/text/options';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie } from 'hono/cookie';
import { assets } from '../assets/assets.ts';
import type { SettingsReload } from '../ports.ts';
import { type ProxyLogin, remoteAddressOf } from './access.ts';
import { addActionRoutes } from './action-routes.ts';
import { createAdmission, type PageEnv, sessionCookie } from './admission.ts';
import { createAuditedForms } from './audited-forms.ts';
import { addEventRoute } from './event-route.ts';
import { addLoginRoutes } from './login-routes.ts';
import { addReadingRoutes } from './reading-routes.ts';
import { respondProblem, setHeaders } from './respond.ts';
import { createAttemptLimit, createFormSigner, createSessions } from './sessions.ts';

/** Options of `createPage`. */
export interface PageOptions {
  readonly reader: RunsReader;
  readonly health: HealthReader;
  readonly changes: PageChanges;
  readonly actions: RunActions;
  readonly logins: TokenHolders;
  readonly audit: AuditLog;
  /** Settings that people may have read again. Default none. */
  readonly settings?: SettingsReload | null | undefined;
  /** Language of whoever chose none. Default `auto`: that of the browser. */
  readonly locale?: Locale | 'auto' | undefined;
  /** Path under which the page is mounted, such as `/agents`. Default: the root. */
  readonly base?: string | undefined;
  /** Address under which people see the page, such as `https://agents.example.com`. Default: that of the request. */
  readonly publicOrigin?: string | null | undefined;
  /** Further names of the host. Those of loopback and of `publicOrigin` are always served. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Reverse proxy that logs people in. Default: none. */
  readonly proxy?: ProxyLogin | null | undefined;
  /** Command that makes a token, as the login says it. */
  readonly tokenCommand?: string | null | undefined;
  /** Zone of the days by which the audit log is filtered: an IANA name. Default `UTC`. */
  readonly timeZone?: string | undefined;
  /** Hours until a login is over. Default 12. */
  readonly sessionHours?: number | undefined;
  readonly logger?: Logger | undefined;
  readonly now?: (() => number) | undefined;
  readonly randomToken?: (() => string) | undefined;
  /** Calls back again and again until it is ended. Default: every 20 seconds. */
  readonly repeat?: ((beat: () => void) => () => void) | undefined;
  /** Address of the other end of a connection. Default: as `@hono/node-server` has it. */
  readonly addressOf?: ((context: Context) => string | null) | undefined;
}

const MOST_BODY_BYTES = 16_384;
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

const expectations: ExpectationsOf<PageOptions> = {
  reader: expected.object,
  health: expected.object,
  changes: expected.object,
  actions: expected.object,
  logins: expectPort('findHolder'),
  audit: expected.object,
  settings: expectNullable(expected.object),
  locale: expectOneOf('auto', 'en', 'ja'),
  base: {
    isMet: (value) => value === '' || (typeof value === 'string' && /^\/.*[^/]$/.test(value)),
    text: 'a path that begins with / and does not end with it, such as "/agents"',
  },
  publicOrigin: expectNullable(expected.httpUrl),
  allowedHosts: expectList(expected.text),
  proxy: expectNullable(expected.object),
  tokenCommand: expectNullable(expected.text),
  timeZone: expected.timeZone,
  sessionHours: expectNumber(0),
  logger: expected.logger,
  now: expected.function,
  randomToken: expected.function,
  repeat: expected.function,
  addressOf: expected.function,
};

/**
 * Creates the page: a Hono application to be served at its `base`, behind whatever serves Hono.
 *
 * @example
 * const page = createPage({ reader, health, changes, actions, logins, audit });
 * serve({ fetch: page.fetch, port: 8080, hostname: '127.0.0.1' });
 */
export function createPage(options: PageOptions): Hono<PageEnv> {
  checkOptions('PageOptions', options, expectations, [
    'reader',
    'health',
    'changes',
    'actions',
    'logins',
    'audit',
  ]);
  const {
    reader,
    health,
    changes,
    actions,
    logins,
    audit,
    settings = null,
    locale = 'auto',
    base = '',
    publicOrigin = null,
    allowedHosts = [],
    timeZone = 'UTC',
    proxy = null,
    tokenCommand = null,
    sessionHours = 12,
    logger = silent,
    now = () => Date.now(),
    randomToken = () => randomBytes(32).toString('base64url'),
    repeat = everyTwentySeconds,
    addressOf = remoteAddressOf,
  } = options;
  const page = new Hono<PageEnv>().basePath(base === '' ? '/' : base);
  const place = { allowedHosts, publicOrigin, proxy };
  const signer = createFormSigner(randomToken());
  const { findHolder } = logins;
  const sessions = createSessions({ now, randomToken, findHolder, hours: sessionHours });

  page.onError((error, context) => {
    logger.error({ err: error, room: context.req.routePath }, 'failed to render page');
    return respondProblem(context, 'failed', { visit: context.get('visit') });
  });
  page.use('*', async (context, next) => {
    await next();
    setHeaders(context.res);
  });
  page.use('*', createAdmission({ place, locale, base, sessions, signer, randomToken, now, addressOf }));
  page.use(
    '*',
    bodyLimit({
      maxSize: MOST_BODY_BYTES,
      onError: (context) => respondProblem(context, 'tooLarge', { visit: context.get('visit') }),
    }),
  );
  addAssets(page);
  addReadingRoutes(page, { reader, health, audit, base, canReload: settings !== null, timeZone, now });
  addLoginRoutes(page, {
    logins,
    audit,
    sessions,
    signer,
    failures: {
      ofMinute: createAttemptLimit({ now, most: 5, spanMs: 60_000 }),
      ofDay: createAttemptLimit({ now, most: 20, spanMs: 86_400_000 }),
    },
    logger,
    settings: { place, base, tokenCommand, now, createId: randomToken, randomToken, sessionHours },
  });
  const takeForm = createAuditedForms({ audit, signer, now, createId: randomToken, logger });
  addActionRoutes(page, { reader, actions, settings, takeForm, base });
  addEventRoute(page, {
    changes,
    repeat,
    isStillKnown: (context) =>
      !context.get('visit').hasSession || sessions.isOpen(getCookie(context, sessionCookie(place)) ?? ''),
  });
  addOtherAnswers(page, base);
  return page;
}

function addAssets(page: Hono<PageEnv>): void {
  for (const { path, type, text } of Object.values(assets))
    page.get(path, (context) =>
      context.body(text, 200, {
        'Content-Type': type,
        'Cache-Control': 'public, max-age=31536000, immutable',
      }),
    );
}

/** Answers what no room took: 405 where an address is one of the page's, else 404. */
function addOtherAnswers(page: Hono<PageEnv>, base: string): void {
  const formPaths = ['/logout', '/reload', '/runs/:uuid/actions'];
  const pagePaths = [
    '/',
    '/health',
    '/audit',
    '/runs/:uuid',
    '/runs/:uuid/journal',
    '/threads/:key',
    '/events',
  ];
  const refuse = (paths: readonly string[], allow: string): void => {
    for (const path of paths)
      page.all(path, (context) => {
        context.header('Allow', allow);
        return respondProblem(context, 'method', { visit: context.get('visit') });
      });
  };
  refuse(formPaths, 'POST');
  refuse(pagePaths, 'GET, HEAD');
  refuse(['/login'], 'GET, HEAD, POST');
  if (base !== '') page.get('', (context) => context.redirect(`${base}/`, 308));
  page.all('*', (context) => respondProblem(context, 'notFound', { visit: context.get('visit') }));
}

function everyTwentySeconds(beat: () => void): () => void {
  const timer = setInterval(beat, 20_000).unref();
  return () => clearInterval(timer);
}
