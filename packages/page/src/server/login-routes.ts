import type { AuditLog, TokenHolders } from '@agent/orchestrator/watch';
import type { Logger } from '@agent/text';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { loginRoom } from '../rooms/door-rooms.ts';
import type { PlaceOptions } from './access.ts';
import { isSecure, type PageEnv, sessionCookie } from './admission.ts';
import { readForm } from './forms.ts';
import { respond, respondProblem } from './respond.ts';
import type { createAttemptLimit, FormSigner, Sessions } from './sessions.ts';

/** Parts and settings of the routes of a login. */
export interface LoginRouteOptions {
  readonly logins: TokenHolders;
  readonly audit: AuditLog;
  readonly sessions: Sessions;
  readonly signer: FormSigner;
  /** Logins that failed: those of a minute are answered, and those of a day kept in the audit log. */
  readonly failures: Readonly<Record<'ofMinute' | 'ofDay', ReturnType<typeof createAttemptLimit>>>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly settings: {
    readonly place: PlaceOptions;
    readonly base: string;
    readonly tokenCommand: string | null;
    readonly now: () => number;
    /** Creates the id of an entry of the audit log. */
    readonly createId: () => string;
    readonly randomToken: () => string;
    readonly sessionHours: number;
  };
}

/** Bound to a browser by a cookie of its own, so that nobody logs others in as themselves. */
const formCookie = 'agent_page_form';

/** Adds `/login`, which takes a token once for a cookie, and `/logout`, which ends that login. */
export function addLoginRoutes(page: Hono<PageEnv>, options: LoginRouteOptions): void {
  const { sessions, signer, failures, audit, logger, settings } = options;
  const { place, base, randomToken } = settings;
  const cookie = { path: '/', httpOnly: true, sameSite: 'Strict', secure: isSecure(place) } as const;

  const showForm = (
    context: Context<PageEnv>,
    error: 'loginFailed' | 'loginTooOften' | null,
    status: 200 | 401 | 429 = 200,
  ): Response => {
    const secret = getCookie(context, formCookie) ?? randomToken();
    setCookie(context, formCookie, secret, cookie);
    const visit = { ...context.get('visit'), csrf: signer.sign(`login:${secret}`) };
    return respond(context, loginRoom(visit, { error, command: settings.tokenCommand }), status);
  };

  // For the server around the page: tells whether a request has a login.
  page.get('/session', (context) => context.body(null, context.get('visit').actor === null ? 401 : 204));

  page.get('/login', (context) =>
    context.get('visit').actor === null ? showForm(context, null) : context.redirect(`${base}/`, 303),
  );

  page.post('/login', async (context) => {
    const visit = context.get('visit');
    const form = await readForm(context);
    if (form === null) return respondProblem(context, 'mediaType', { visit });
    const secret = getCookie(context, formCookie) ?? '';
    if (secret === '' || !signer.isSigned(form.get('csrf') ?? '', `login:${secret}`))
      return respondProblem(context, 'forbidden', { visit });
    const address = context.get('address');
    const token = (form.get('token') ?? '').trim().slice(0, 500);
    const actor = await options.logins.findHolder(token);
    const append = (who: string, outcome: 'accepted' | 'refused') =>
      audit.write({
        ...{ id: settings.createId(), at: settings.now(), actor: who, via: 'web', action: 'login' },
        ...{ target: null, run: null, outcome, reason: null },
      });
    if (actor === null) {
      // Nobody guesses a token. Who has one is not kept out by others, who share an address behind a proxy.
      if (!failures.ofMinute.take(address)) return showForm(context, 'loginTooOften', 429);
      logger.warn({ address }, 'refused login');
      if (failures.ofDay.take(address)) await append(address, 'refused');
      return showForm(context, 'loginFailed', 401);
    }
    await append(actor, 'accepted');
    const maxAge = Math.round(settings.sessionHours * 3600);
    setCookie(context, sessionCookie(place), sessions.open(token), { ...cookie, maxAge });
    deleteCookie(context, formCookie, cookie);
    return context.redirect(`${base}/`, 303);
  });

  page.post('/logout', async (context) => {
    const visit = context.get('visit');
    const form = await readForm(context);
    const secret = getCookie(context, sessionCookie(place));
    if (form === null) return respondProblem(context, 'mediaType', { visit });
    if (secret === undefined || !visit.hasSession) return context.redirect(`${base}/login`, 303);
    if (!signer.isSigned(form.get('csrf') ?? '', `session:${secret}`))
      return respondProblem(context, 'forbidden', { visit });
    sessions.end(secret);
    deleteCookie(context, sessionCookie(place), cookie);
    return context.redirect(`${base}/login`, 303);
  });
}
