<?php

/** Includes the file as PhotoboothProject does: with its log and the name of a photo in its temporary folder. */

namespace Photobooth\Enum {
    enum FolderEnum
    {
        case TEMP;

        public function absolute(): string
        {
            return $GLOBALS['argv'][1];
        }
    }
}

namespace {
    $logger = new class () {
        public function debug(string $text): void
        {
            echo "debug: $text\n";
        }

        public function error(string $text): void
        {
            echo "error: $text\n";
        }
    };
    $file = 'photo.jpg';
    $isCollage = ($argv[2] ?? '') === 'collage';
    $isChroma = false;
    include __DIR__ . '/../../../integrations/photoboothproject/applyEffects.php';
}
