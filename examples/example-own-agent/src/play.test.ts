// @module-tag full
import { expect, it } from 'vitest';
import { play } from './play.ts';

it("an agent of somebody's own is killed, paused and talked to: nothing is lost, and nothing said or done twice [NX-75]", async () => {
  const lines: string[] = [];
  const stage = await play((line) => lines.push(line));
  try {
    expect(stage.orders).toEqual(['bread', 'cheese', 'olives', 'napkins']);
    const own = stage.comments().filter(({ author }) => author === 'shopper');
    const withoutMarker = own.map(({ body }) => body.split('\n').at(-1));
    expect(withoutMarker).toEqual([
      'The run is paused.',
      'Ordered: bread, cheese, olives.',
      'Ordered: bread, cheese, olives, napkins.',
    ]);
    expect(lines.filter((line) => line.startsWith('The agent'))).toEqual([
      'The agent was killed (SIGKILL).',
      'The agent recovered the run after a crash and paused it.',
      'The agent was killed (SIGKILL).',
      'The agent recovered the run after a crash and finished it.',
      'The agent started a run and finished it.',
    ]);
    expect(lines).toContain('The shop received each order once: bread, cheese, olives, napkins.');
    const [firstRun = '', laterRun = ''] = [stage.prompts[6], stage.prompts[8]];
    for (const said of ['Olives, too!', 'For six.', 'Thank you!'])
      expect(firstRun.split(said)).toHaveLength(2);
    expect(firstRun).toContain('its effect is unknown');
    expect(laterRun).toContain('This Issue/MR/PR has been processed before');
    expect(stage.prompts).toHaveLength(9);
  } finally {
    await stage.close();
  }
});
