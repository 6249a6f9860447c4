export { BotError, type BotErrorCode } from './bot-error.ts';
export { type BotLogger, type BotModel, DiscordBot, type DiscordBotOptions } from './discord-bot.ts';
