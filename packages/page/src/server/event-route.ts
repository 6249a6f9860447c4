import type { PageChange, PageChanges } from '@agent/orchestrator/watch';
import type { Context, Hono } from 'hono';
import type { PageEnv } from './admission.ts';

/** Parts and settings of the route that tells of changes. */
export interface EventRouteOptions {
  readonly changes: PageChanges;
  readonly repeat: (beat: () => void) => () => void;
  /** Tells whether the login that a stream was opened with still holds. */
  readonly isStillKnown: (context: Context<PageEnv>) => boolean;
}

const MOST_STREAMS = 200;

/**
 * Adds `/events`, a stream of server-sent events. It tells that something is new, never what: whoever hears it reads the page
 * again, with the rights that they have then. A stranger hears of no run and no thread by name.
 */
export function addEventRoute(page: Hono<PageEnv>, options: EventRouteOptions): void {
  let streams = 0;
  page.get('/events', (context) => {
    const isKnown = context.get('visit').actor !== null;
    if (!isKnown && !context.get('isLoopback')) return context.body(null, 401);
    if (context.req.method === 'HEAD') return context.body(null);
    if (streams >= MOST_STREAMS) return context.body(null, 503, { 'Retry-After': '30' });
    streams += 1;
    const stream = openStream({
      ...options,
      isOpen: () => !isKnown || options.isStillKnown(context),
      hidesNames: !isKnown,
      onClose: () => {
        streams -= 1;
      },
    });
    return context.body(stream, 200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  });
}

interface StreamOptions extends Pick<EventRouteOptions, 'changes' | 'repeat'> {
  readonly isOpen: () => boolean;
  readonly hidesNames: boolean;
  readonly onClose: () => void;
}

function openStream({
  changes,
  repeat,
  isOpen,
  hidesNames,
  onClose,
}: StreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stops: readonly (() => void)[] | null = null;
  const end = (): void => {
    for (const stop of stops ?? []) stop();
    if (stops !== null) onClose();
    stops = null;
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const send = (text: string): void => {
          if (stops === null) return;
          // Whoever does not read is let go, and reads the whole page when they come back.
          if (isOpen() && (controller.desiredSize ?? 0) > 0) {
            controller.enqueue(encoder.encode(text));
            return;
          }
          end();
          controller.close();
        };
        stops = [
          changes.subscribe((change) => send(formatEvent(hidesNames ? nameless : change))),
          repeat(() => send(': \n\n')),
        ];
        send('event: ready\ndata: {}\n\n');
      },
      cancel: end,
    },
    { highWaterMark: 64 },
  );
}

const nameless: PageChange = { uuid: null, threadKey: null };

function formatEvent({ uuid, threadKey }: PageChange): string {
  return `event: change\ndata: ${JSON.stringify({ uuid, threadKey })}\n\n`;
}
