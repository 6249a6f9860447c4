import { agent, type ContentBlock, methods } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { answerBy } from './misbehavior.ts';
import { type PlayedAgent, ScriptedPlayer, toTexts } from './scripted-player.ts';

/** Plays an agent of the Agent Client Protocol, without a model: its turns follow a script. */
export function playAgent(played: PlayedAgent): void {
  const player = new ScriptedPlayer(played);
  const { misbehavior, name } = played.script;
  const by = <Answer>(method: string, own: () => Promise<Answer> | Answer): Promise<Answer> =>
    answerBy(method, { misbehavior, own });
  const { initialize, session } = methods.agent;
  const steering = '_session/steering';
  agent({ name })
    .onRequest(initialize, () => by(initialize, () => player.introduce()))
    .onRequest(session.new, ({ params }) => by(session.new, () => player.begin(params)))
    .onRequest(session.load, ({ params, client }) => by(session.load, () => player.load(params, client)))
    .onRequest(session.prompt, ({ params, client }) =>
      by(session.prompt, () => player.prompt(params, client)),
    )
    .onNotification(session.cancel, () => player.cancel())
    .onRequest(
      steering,
      z.object({ sessionId: z.string(), prompt: z.array(z.unknown()) }),
      ({ params, client }) =>
        by(steering, () => player.steer(toTexts(params.prompt as ContentBlock[]), { ...params, client })),
    )
    .connect(played.stream);
}
