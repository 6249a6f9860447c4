import { openModel } from './open-model.ts';
import { trialModels } from './trial-models.ts';

// node --conditions=@agent/source trials/src/real-model/serve.ts [MODEL]: the endpoint alone, until Ctrl-C.
const [, , name = 'smollm2'] = process.argv;
const model = trialModels.find((one) => one.name === name);
if (model === undefined)
  throw new Error(`there is no model ${name}: ${trialModels.map((one) => one.name).join(', ')}`);
const { close } = await openModel({
  ...{ model, window: 8_192, threads: 1, answerTokens: 512 },
  nextSeed: () => Math.floor(Math.random() * 2 ** 31),
  onExchange: () => {},
});
await new Promise((resolve) => process.once('SIGINT', resolve));
await close();
