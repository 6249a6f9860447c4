import { openStage, type Stage } from './stage.ts';

/** Plays an agent that is killed, paused and sent comments while it works. Reports each step with `tell`; leaves the stage open. */
export async function play(tell: (line: string) => void): Promise<Stage> {
  const stage = await openStage({ title: 'A picnic', body: 'Please order bread and cheese.' });
  const start = async (): Promise<void> => {
    const said = await stage.startAgent();
    tell(said === null ? 'The agent was killed (SIGKILL).' : `The agent ${said}.`);
  };
  const say = (body: string): void => {
    stage.say(body);
    tell(`  ann comments: ${body}`);
  };
  tell('1. ann opens an issue: Please order bread and cheese.');
  stage.atOrder('bread', stage.kill);
  await start();
  tell('2. The shop took the order for bread, but the agent did not learn of it. It starts again.');
  stage.atRequest(3, async () => {
    say('Olives, too!');
    await stage.setPause(true);
    tell('  The agent is asked to pause.');
  });
  await start();
  say('For six.');
  await stage.setPause(false);
  tell('3. The agent starts again, and is killed while it waits for the model.');
  stage.atRequest(5, stage.kill);
  await start();
  tell('4. The agent starts again. The next comment arrives during its last model call.');
  stage.atRequest(6, () => say('Thank you!'));
  await start();
  tell('5. A comment after the end starts a new run, which inherits the orders of the first one.');
  say('And napkins?');
  await start();
  const isOnce = new Set(stage.orders).size === stage.orders.length;
  tell(`The shop received ${isOnce ? 'each order once' : 'an order twice'}: ${stage.orders.join(', ')}.`);
  tell('The comments on the issue:');
  for (const { author, body } of stage.comments()) tell(`  @${author}: ${body.split('\n').at(-1)}`);
  return stage;
}
