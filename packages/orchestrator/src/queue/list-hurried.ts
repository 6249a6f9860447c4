import type { ControlVerb, RunControls } from '@agent/run-store';
import type { RunLogger } from '../host/ports.ts';

const hurrying: ReadonlySet<ControlVerb> = new Set(['settle', 'stop', 'pause']);

/** Lists the runs that are to be tried at once: a user gave something of them up, or told them to stop or pause. */
export async function listHurried({
  controls,
  logger,
}: {
  readonly controls: Pick<RunControls, 'list'>;
  readonly logger: Pick<RunLogger, 'warn'>;
}): Promise<readonly { readonly uuid: string; readonly verb: ControlVerb }[]> {
  try {
    const asked = await controls.list();
    return asked.filter(({ verb }) => hurrying.has(verb));
  } catch (error) {
    logger.warn({ err: error }, 'failed to read requested run controls');
    return [];
  }
}
