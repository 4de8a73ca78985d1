SettingsConfigDict = dict
