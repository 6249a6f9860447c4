export { BotError, type BotErrorCode } from './bot-error.ts';
export { DiscordBot, type DiscordBotOptions } from './discord-bot.ts';
export type { AllowList, IncomingMessage, MessageOrigin, MessagePlace } from './message/incoming-message.ts';
export type { Place, Surroundings } from './place/place.ts';
export { parseSettings, type Settings } from './settings/parse-settings.ts';
export { type RunningBot, type StartBotOptions, startBot } from './start-bot.ts';
export { type Clock, systemClock } from './waits.ts';
