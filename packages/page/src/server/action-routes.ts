import type { ActRequest, RunActions, RunsReader } from '@agent/orchestrator/watch';
import type { Hono } from 'hono';
import type { SettingsReload } from '../ports.ts';
import { runControls } from '../rooms/run-actions.ts';
import { runAddress } from '../rooms/visit.ts';
import type { PageEnv } from './admission.ts';
import type { TakeForm } from './audited-forms.ts';

/** Parts of the routes of acts. */
export interface ActionRouteOptions {
  readonly reader: RunsReader;
  readonly actions: RunActions;
  /** Null where nothing can be read again. */
  readonly settings: SettingsReload | null;
  readonly takeForm: TakeForm;
  readonly base: string;
}

/** Adds the routes by which people act: on a run, and on the settings of the process. */
export function addActionRoutes(page: Hono<PageEnv>, options: ActionRouteOptions): void {
  const { reader, actions, settings, takeForm, base } = options;
  page.post('/runs/:uuid/actions', (context) =>
    takeForm(context, (form, actor) => {
      const request = parseRequest(form, { uuid: context.req.param('uuid'), actor });
      if (request === null) return null;
      const { uuid, control } = request;
      return {
        action: control,
        run: uuid,
        find: async () => {
          const run = await reader.readRun(uuid, { from: null, limit: 1 });
          return run && { name: run.row.name, isOffered: run.controls.includes(control) };
        },
        act: () => actions.act(request),
        shownAt: `${runAddress({ base }, uuid)}?done=${control}`,
      };
    }),
  );
  if (settings === null) return;
  page.post('/reload', (context) =>
    takeForm(context, () => ({
      action: 'reload',
      run: null,
      find: async () => ({ name: null, isOffered: true }),
      act: async () => {
        const result = await settings.reload();
        if (result.status === 'refused') return { accepted: false, reason: result.reason };
        const changed = [...result.changed, ...result.needRestart.map((key) => `${key} (restart)`)];
        return { accepted: true, reason: changed.join(', ').slice(0, 300) };
      },
      shownAt: `${base}/health?done=reload`,
    })),
  );
}

function parseRequest(
  form: URLSearchParams,
  { uuid, actor }: Pick<ActRequest, 'uuid' | 'actor'>,
): ActRequest | null {
  const control = runControls.find((known) => known === form.get('control'));
  if (control === undefined || uuid.length > 200) return null;
  const amountMicros = control === 'budget' ? parseAmount(form.get('amount') ?? '') : null;
  if (control === 'budget' && amountMicros === null) return null;
  return { uuid, control, amountMicros, actor };
}

/** `12.50` is 12,500,000; null for what is no amount. */
function parseAmount(text: string): number | null {
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text.trim())) return null;
  return Math.round(Number(text.trim()) * 1_000_000);
}
