import { afterEach, describe, expect, it } from 'vitest';
import { type Phase, startPhase } from '../../test/phase-setup.ts';
import { sampleRequest as request } from '../../test/sample-request.ts';

describe('what a caller left out', () => {
  let phase: Phase;
  afterEach(() => phase.server.close());

  it('is named before the model is asked anything', async () => {
    phase = await startPhase();
    const invalid = (name: string) => ({
      code: 'invalid-input',
      message: expect.stringContaining(`"${name}"`),
    });
    for (const name of ['title', 'body', 'labels', 'comments']) {
      const run = { request: { ...request, [name]: undefined } } as never;
      await expect(phase.createManager().execute(run)).rejects.toMatchObject(invalid(`request.${name}`));
    }
    await expect(phase.createManager().execute({} as never)).rejects.toMatchObject(invalid('request.title'));
    expect(phase.asked).toEqual([]);
  });
});
