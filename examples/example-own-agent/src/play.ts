import { openStage, type Stage } from './stage.ts';

/** Plays an agent that is killed, paused and talked to while it works; tells each line of it, and leaves the stage open. */
export async function play(tell: (line: string) => void): Promise<Stage> {
  const stage = await openStage({ title: 'A picnic', body: 'Please order bread and cheese.' });
  const start = async (): Promise<void> => {
    const ended = await stage.startAgent();
    tell(ended === null ? 'The agent was killed (SIGKILL).' : `The agent ended: ${ended}.`);
  };
  const say = (body: string): void => {
    stage.say(body);
    tell(`ann says: ${body}`);
  };
  tell('An issue: please order bread and cheese. The agent begins.');
  stage.atOrder('bread', stage.kill);
  await start();
  tell('Bread is ordered, and nobody told the agent. It is started again, and paused while it works.');
  stage.atRequest(3, async () => {
    say('Olives, too!');
    await stage.setPause(true);
  });
  await start();
  say('For six.');
  await stage.setPause(false);
  tell('It may go on, and is killed while its model thinks.');
  stage.atRequest(5, stage.kill);
  await start();
  stage.atRequest(6, () => say('Thank you!'));
  await start();
  say('And napkins?');
  tell('A later run on the same thread knows what was ordered.');
  await start();
  tell(`Orders: ${stage.orders.join(', ')}.`);
  for (const { author, body } of stage.comments()) tell(`@${author}: ${body.split('\n').at(-1)}`);
  return stage;
}
