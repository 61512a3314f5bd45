import { domainEn } from './domain.en'
import { uiEn } from './ui.en'

/** The English texts to begin with. */
export const en = { ...uiEn, ...domainEn }
